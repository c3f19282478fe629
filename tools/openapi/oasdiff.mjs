// Compares two OpenAPI documents by oasdiff, which reads 3.1: types with null, `anyOf`, references and webhooks.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = 'v1.37.0';
const folder = join(import.meta.dirname, `../../.local/tools/oasdiff-${VERSION}`);
const program = join(folder, 'oasdiff');
const BREAKING = 1;
/** Levels of changes: 2 is a warning, 3 an error. */
const WARNING = 2;
/** Changes that clients of ours notice, although oasdiff counts them as information. */
const LEVELS = join(import.meta.dirname, 'oasdiff-levels.txt');

/** Builds oasdiff unless it is there, which takes two minutes; needs Go 1.21 or later. */
export function ensureOasdiff() {
  if (existsSync(program)) return;
  mkdirSync(folder, { recursive: true });
  const { status, error } = spawnSync('go', ['install', `github.com/oasdiff/oasdiff@${VERSION}`], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto' },
  });
  if (status !== 0) throw new Error(`go install of oasdiff failed: ${error?.message ?? status}`);
}

/**
 * Lists the changes that break clients of a released document, and those that may break some.
 * @throws Error when a document cannot be read
 */
export function schemaChanges(released, current) {
  const { status, stdout, stderr } = spawnSync(
    program,
    [
      ...['breaking', '--fail-on', 'WARN', '--severity-levels', LEVELS],
      ...['--format', 'json', released, current],
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0 && status !== BREAKING) throw new Error(`oasdiff failed: ${stderr}`);
  const found = stdout.trim() === '' ? [] : JSON.parse(stdout);
  return found
    .filter(({ level }) => level >= WARNING)
    .map(({ id, operation = '', path = '', text }) => `${operation} ${path}: ${text} (${id})`);
}
