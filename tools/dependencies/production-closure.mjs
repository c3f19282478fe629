// Walks the production dependencies of a workspace's package through package-lock.json.

/** The lock file's key of a package as Node resolves it from another one's folder. */
function resolve(packages, from, name) {
  for (let folder = from; ;) {
    const key = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[key] !== undefined) return key;
    if (folder === '') return undefined;
    const nested = folder.lastIndexOf('/node_modules/');
    folder = nested === -1 ? '' : folder.slice(0, nested);
  }
}

/** Every package that an installation without development dependencies brings for this one. */
export function productionClosure(packages, root) {
  const found = new Set();
  const visit = (key) => {
    const entry = packages[key];
    if (entry.link) return visit(entry.resolved);
    if (found.has(key)) return undefined;
    found.add(key);
    const { dependencies, optionalDependencies, peerDependencies } = entry;
    for (const name of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    })) {
      const dependency = resolve(packages, key, name);
      if (dependency !== undefined) visit(dependency);
    }
    return undefined;
  };
  visit(root);
  return [...found];
}
