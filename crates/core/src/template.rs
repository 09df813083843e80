//! Templates: constructors of algorithms over other algorithms.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::aead::AeadDriver;
use crate::alg::{AeadAlg, Alg, CipherAlg, Kind, MAX_NAME, Make, Origin, ShashAlg, SkcipherAlg};
use crate::cipher::CipherDriver;
use crate::plan::Node;
use crate::shash::ShashDriver;
use crate::skcipher::SkcipherDriver;
use crate::want::{Flags, KindTag, Want};
use crate::{Error, Result};

/// A template: `cbc` in `cbc(aes)`.
#[derive(Clone, Copy)]
pub struct Template {
    /// Its name, an identifier.
    pub name: &'static str,
    /// Resolves the children, checks them, and describes the instance over them.
    ///
    /// It may run for several choices of children, and its result may be thrown away: it has no side effects.
    pub create: fn(&mut Create<'_>) -> Result<Alg>,
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Finds the children of an instance under construction.
pub(crate) trait Children {
    /// The `nth` spawn of this constructor: resolves `name`.
    fn child(&mut self, nth: usize, name: &str, want: Want) -> Result<Arc<Node>>;
    /// The best algorithm of this name, which is not spawned.
    fn best(&mut self, name: &str, want: Want) -> Result<Arc<Node>>;
}

/// What a template's constructor works with.
pub struct Create<'a> {
    template: &'static str,
    args: &'a [&'a str],
    want: Want,
    children: &'a mut dyn Children,
    spawned: Vec<Arc<Node>>,
    accepts_spelling: bool,
}

impl<'a> Create<'a> {
    pub(crate) fn new(
        template: &'static str,
        args: &'a [&'a str],
        want: Want,
        children: &'a mut dyn Children,
    ) -> Self {
        Create { template, args, want, children, spawned: Vec::new(), accepts_spelling: false }
    }

    /// What was spawned, and whether the request is accepted as it is spelled.
    pub(crate) fn into_spawned(self) -> (Vec<Arc<Node>>, bool) {
        (self.spawned, self.accepts_spelling)
    }

    /// Refuses a request for another kind than the one the template makes.
    ///
    /// # Errors
    /// [`Error::WrongKind`].
    pub fn makes(&self, kind: KindTag) -> Result<()> {
        if self.want.kind == kind {
            return Ok(());
        }
        Err(Error::WrongKind { template: self.template.into(), makes: kind, asked: self.want.kind })
    }

    /// The arguments as written.
    pub fn args(&self) -> &'a [&'a str] {
        self.args
    }

    /// One argument, counted from 0.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is missing, as in Linux.
    pub fn arg(&self, n: usize) -> Result<&'a str> {
        self.args.get(n).copied().ok_or_else(|| Error::NotFound {
            kind: Some(self.want.kind),
            name: self.template.into(),
            hint: format!("template {:?} needs {} arguments", self.template, n + 1).into(),
        })
    }

    /// Spawns a single-block cipher.
    ///
    /// # Errors
    /// Those of the child's resolution, as they are.
    pub fn cipher(&mut self, name: &str) -> Result<Spawn<CipherAlg>> {
        self.spawn(name, KindTag::Cipher, |kind| match kind {
            Kind::Cipher(limits) => Some(limits.clone()),
            _ => None,
        })
    }

    /// Spawns a symmetric-key cipher.
    ///
    /// # Errors
    /// Those of the child's resolution, as they are.
    pub fn skcipher(&mut self, name: &str) -> Result<Spawn<SkcipherAlg>> {
        self.spawn(name, KindTag::Skcipher, |kind| match kind {
            Kind::Skcipher(limits) => Some(limits.clone()),
            _ => None,
        })
    }

    /// Spawns a hash or MAC.
    ///
    /// # Errors
    /// Those of the child's resolution, as they are.
    pub fn shash(&mut self, name: &str) -> Result<Spawn<ShashAlg>> {
        self.spawn(name, KindTag::Shash, |kind| match kind {
            Kind::Shash(limits) => Some(limits.clone()),
            _ => None,
        })
    }

    /// Spawns an AEAD.
    ///
    /// # Errors
    /// Those of the child's resolution, as they are.
    pub fn aead(&mut self, name: &str) -> Result<Spawn<AeadAlg>> {
        self.spawn(name, KindTag::Aead, |kind| match kind {
            Kind::Aead(limits) => Some(limits.clone()),
            _ => None,
        })
    }

    /// The best algorithm of this name and kind, to choose among children by; it is not spawned.
    ///
    /// # Errors
    /// Those of its resolution, as they are.
    pub fn peek(&mut self, name: &str, kind: KindTag) -> Result<Arc<Alg>> {
        self.children.best(name, self.want.for_child(kind)).map(|node| Arc::clone(node.alg()))
    }

    /// Accepts the request although it is neither the instance's generic name nor its driver name.
    pub fn accept_spelling(&mut self) {
        self.accepts_spelling = true;
    }

    fn spawn<L>(&mut self, name: &str, kind: KindTag, limits: fn(&Kind) -> Option<L>) -> Result<Spawn<L>> {
        let node = self.children.child(self.spawned.len(), name, self.want.for_child(kind))?;
        let alg = Arc::clone(node.alg());
        let limits = limits(&alg.kind).ok_or(Error::NotSupported { what: "a child of this kind" })?;
        self.spawned.push(node);
        Ok(Spawn { alg, limits })
    }

    /// The error for a child that the template cannot be built over.
    pub fn bad_child(&self, child: &Alg, why: &'static str) -> Error {
        Error::BadChild { template: self.template.into(), child: child.name.as_ref().into(), why }
    }

    /// Describes the instance: named `template(children)`, with the first child's priority.
    ///
    /// # Errors
    /// [`Error::NameTooLong`].
    pub fn instance(&self, kind: Kind) -> Result<Alg> {
        let join = |name: fn(&Alg) -> &str| {
            let names: Vec<&str> = self.spawned.iter().map(|node| name(node.alg())).collect();
            format!("{}({})", self.template, names.join(","))
        };
        let priority = self.spawned.first().map_or(0, |node| node.alg().priority);
        self.instance_named(join(|alg| &alg.name), join(|alg| &alg.driver_name), priority, kind)
    }

    /// Describes the instance with names and a priority of the template's own.
    ///
    /// Flags and properties come from the children.
    ///
    /// # Errors
    /// [`Error::NameTooLong`].
    pub fn instance_named(
        &self,
        name: String,
        driver_name: String,
        priority: u32,
        kind: Kind,
    ) -> Result<Alg> {
        if let Some(long) = [&name, &driver_name].into_iter().find(|name| name.len() > MAX_NAME) {
            return Err(Error::NameTooLong { len: long.len() });
        }
        let children: Vec<Arc<Alg>> = self.spawned.iter().map(|node| Arc::clone(node.alg())).collect();
        let mut alg = Alg::new(Cow::Owned(name), Cow::Owned(driver_name), kind).with_priority(priority);
        alg.module = self.template;
        alg.flags =
            children.iter().fold(Flags::INSTANCE, |flags, child| flags | (child.flags & Flags::INHERITED));
        alg.properties.constant_time = children.iter().all(|child| child.properties.constant_time);
        alg.origin = Origin::Instance { template: Cow::Borrowed(self.template), children };
        Ok(alg)
    }
}

impl fmt::Debug for Create<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Create")
            .field("template", &self.template)
            .field("args", &self.args)
            .finish_non_exhaustive()
    }
}

/// A template's claim on a child: its description, its limits, and how to make a transform of it.
#[derive(Debug, Clone)]
pub struct Spawn<L> {
    /// The child.
    pub alg: Arc<Alg>,
    /// Its limits.
    pub limits: L,
}

impl Spawn<CipherAlg> {
    /// Makes a transform of the child, without key.
    ///
    /// # Errors
    /// Those of the child's own children.
    pub fn make(&self) -> Result<Box<dyn CipherDriver>> {
        self.limits.make.call()
    }
}

impl Spawn<SkcipherAlg> {
    /// Makes a transform of the child, without key.
    ///
    /// # Errors
    /// Those of the child's own children.
    pub fn make(&self) -> Result<Box<dyn SkcipherDriver>> {
        self.limits.make.call()
    }
}

impl Spawn<ShashAlg> {
    /// Makes a transform of the child, without key.
    ///
    /// # Errors
    /// Those of the child's own children.
    pub fn make(&self) -> Result<Box<dyn ShashDriver>> {
        self.limits.make.call()
    }
}

impl Spawn<AeadAlg> {
    /// Makes a transform of the child, without key.
    ///
    /// # Errors
    /// Those of the child's own children.
    pub fn make(&self) -> Result<Box<dyn AeadDriver>> {
        self.limits.make.call()
    }
}

impl<T: ?Sized> fmt::Debug for Make<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Make(..)")
    }
}
