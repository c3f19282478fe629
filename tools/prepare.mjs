// Runs before `npm start`, `npm run start:distributed`, `npm test` and `npm run prove`, with whatever Node the machine has
// (20 or later) and possibly nothing installed: only Node's own modules, and no newer syntax.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dockerRuns, ensurePrerequisites } from './prerequisites.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lockFile = join(root, 'package-lock.json');
const installed = join(root, 'node_modules/.package-lock.json');
const stamp = join(root, 'node_modules/.package-lock.sha256');
const windows = process.platform === 'win32';

function lockDigest() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

function isInstalled() {
  if (!existsSync(installed)) return false;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockDigest()) return true;
  // `npm install` writes both files, in any order, within moments.
  return statSync(installed).mtimeMs + 5_000 >= statSync(lockFile).mtimeMs;
}

function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status === null ? 1 : status);
}

function install() {
  console.log('Installing dependencies; the first time this takes a minute or two …');
  const npm = process.env.npm_execpath;
  // The lock file decides the versions. Not `npm ci`: it refuses a lock file without every optional package of every
  // platform, and not every registry has them all. No dependency needs its install script.
  const args = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  if (npm) run(process.execPath, [npm].concat(args));
  else run('npm', args, { shell: windows });
}

/** Node 24 or later: our own from node_modules, else the machine's. */
function currentNode() {
  const own = join(root, 'node_modules/.bin', windows ? 'node.cmd' : 'node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  console.error(
    `Node 24 is needed; this is ${process.version}, and npm has none for this platform.`,
  );
  return process.exit(1);
}

function build(node) {
  const started = Date.now();
  console.log('Building …');
  run(node, [join(root, 'node_modules/@typescript/native/bin/tsc'), '-b', 'tsconfig.json'], {
    shell: windows,
  });
  run(node, [join(root, 'tools/bundle.mjs')], { shell: windows });
  console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** Installs the servers that npm does not bring. */
function needServers() {
  if (dockerRuns()) return;
  try {
    ensurePrerequisites();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

if (process.argv.includes('--servers')) needServers();
if (!isInstalled()) install();
writeFileSync(stamp, lockDigest());
const node = currentNode();
if (process.argv.includes('--start')) build(node);
