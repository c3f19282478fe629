// Lets plain Node run TypeScript files of this repository: `node --import ./tools/source-loader.mjs file.ts`.
// Node strips the types itself; a relative import that ends in .js means the .ts beside. Packages are
// taken as they are built, since they may use syntax that stripping cannot handle.
import { registerHooks } from 'node:module';
import { resolveSource } from './resolve-source.mjs';

if (!registerHooks) {
  throw new Error(`Node 24 is needed, this is ${process.version}: run it through npm run or npx.`);
}

registerHooks({ resolve: resolveSource });
