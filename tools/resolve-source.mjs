/** A resolve hook for modules: a relative import of `.js` in a TypeScript file means the `.ts` beside it, if not built. */
export function resolveSource(specifier, context, nextResolve) {
  const isSibling =
    context.parentURL?.endsWith('.ts') && /^\.{1,2}\/(?!.*\/dist\/).*\.js$/.test(specifier);
  return nextResolve(isSibling ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}
