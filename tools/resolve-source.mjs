/** True for the address of a TypeScript file, which may carry a query. */
export const isTypeScript = (url) => /\.ts(\?|$)/.test(url ?? '');

/** A resolve hook for modules: a relative import of `.js` in a TypeScript file means the `.ts` beside it, if not built. */
export function resolveSource(specifier, context, nextResolve) {
  const isSibling =
    isTypeScript(context.parentURL) && /^\.{1,2}\/(?!.*\/dist\/).*\.js$/.test(specifier);
  return nextResolve(isSibling ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}
