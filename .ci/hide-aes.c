/* Preloaded into a program for aarch64: hides AES and PMULL among the CPU features that the kernel reports. */
#include <dlfcn.h>

#define AT_HWCAP 16
#define HWCAP_AES_AND_PMULL 0x18UL

unsigned long getauxval(unsigned long type)
{
	unsigned long (*next)(unsigned long) = dlsym(((void *)-1L), "getauxval");
	unsigned long value = next(type);

	return type == AT_HWCAP ? value & ~HWCAP_AES_AND_PMULL : value;
}
