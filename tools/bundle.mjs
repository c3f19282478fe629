// Bundles each app into `bundle/<name>.js`, its operators' commands, and chunks that these share: a process starts in a quarter of the time that it
// takes to load its 3,000 modules one by one. Runs after the compiler, and does nothing when no package has changed.
import { build } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { apps, bundles, entries, isBundleCurrent, modified, root } from './bundled-entries.mjs';
import { productionClosure } from './dependencies/production-closure.mjs';

/** Packages that a dependency loads only where they are installed: drivers, transports and speed-ups we do not use. */
const OPTIONAL = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nats-io/*',
  '@nestjs/platform-express',
  '@nestjs/websockets/*',
  'amqp-connection-manager',
  'bufferutil',
  'mqtt',
  'pg-native',
  'supports-color',
  'utf-8-validate',
];

/** Folder of a package in the path of one of its files. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * The first line of each file. Decorators of any chunk need the metadata functions, and CommonJS dependencies call
 * `require` for Node's own modules.
 */
const BANNER = [
  `import 'reflect-metadata';`,
  `import { createRequire as createBundleRequire } from 'node:module';`,
  `const require = createBundleRequire(import.meta.url);`,
].join(' ');

const DAY_MS = 24 * 60 * 60 * 1_000;

if (!isBundleCurrent()) {
  const draft = join(root, `.local/bundle-${process.pid}`);
  try {
    await bundle(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function bundle(draft) {
  const started = new Date();
  const { metafile } = await build({
    entryPoints: entries.map(({ compiled, name }) => ({ in: compiled, out: name })),
    absWorkingDir: root,
    outdir: draft,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // Names of classes appear in logs and errors.
    keepNames: true,
    external: ['reflect-metadata', ...OPTIONAL],
    banner: { js: BANNER },
    logLevel: 'warning',
    metafile: true,
  });
  refuseDevelopmentPackages(Object.keys(metafile.inputs));
  publish(draft, started);
}

/** @throws Error when a package is bundled that an installation for production does not bring */
function refuseDevelopmentPackages(files) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const production = new Set(
    apps.flatMap((app) => productionClosure(packages, `apps/${basename(app)}`)),
  );
  const bundled = files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []);
  const refused = [...new Set(bundled)].filter((name) => !production.has(name));
  if (refused.length > 0) throw new Error(`Bundled development packages: ${refused.join(', ')}`);
}

/** Replaces files one by one, entries last: what runs or starts meanwhile finds all chunks of its build. */
function publish(draft, started) {
  mkdirSync(bundles, { recursive: true });
  const files = readdirSync(draft);
  const isEntry = (file) => entries.some(({ name }) => file === `${name}.js`);
  for (const name of [...files.filter((each) => !isEntry(each)), ...files.filter(isEntry)]) {
    // What is compiled during the build makes the bundle outdated.
    if (isEntry(name)) utimesSync(join(draft, name), started, started);
    renameSync(join(draft, name), join(bundles, name));
  }
  for (const name of readdirSync(bundles).filter((each) => !files.includes(each))) {
    if (modified(join(bundles, name)) < started - DAY_MS)
      rmSync(join(bundles, name), { force: true });
  }
}
