// Lets plain Node run this repository's TypeScript sources without a build:
// `node --import ./tools/source-loader.mjs file.ts`. Node strips the types itself;
// relative imports that end in .js mean the .ts beside, and packages their sources.
import { registerHooks } from 'node:module';

if (!registerHooks) {
  throw new Error(`Node 24 is needed, this is ${process.version}: run it through npm run or npx.`);
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const conditions = ['@bascule/source', ...(context.conditions ?? [])];
    const sibling =
      context.parentURL?.endsWith('.ts') && /^\.{1,2}\/.*\.js$/.test(specifier)
        ? specifier.replace(/\.js$/, '.ts')
        : specifier;
    return nextResolve(sibling, { ...context, conditions });
  },
});
