import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { binariesIn, type PostgresBinaries } from './binaries.js';

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Postgres refuses to run as root: then the user it runs as, else null (ourselves). */
export function serverUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = users.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error('running as root, Postgres needs a user `postgres` or `nobody` to run as');
}

/** A path that the server's user can access: the requested one, or a substitute when a parent is private. */
export function reachable(path: string, user: ServerUser | null): string {
  if (!user || canTraverse(dirname(resolve(path)), user)) return resolve(path);
  const digest = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 16);
  return join('/var/tmp', `bascule-${digest}`);
}

export function reachableBinaries(
  binaries: PostgresBinaries,
  user: ServerUser | null,
): PostgresBinaries {
  const root = reachable(join(binaries.root, 'bin'), user);
  if (root === resolve(binaries.root, 'bin')) return binaries;
  if (!existsSync(root)) {
    const copy = `${root}.${process.pid}`;
    mkdirSync(dirname(root), { recursive: true });
    cpSync(binaries.root, copy, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(copy, root);
    } catch (error) {
      if (!existsSync(root)) throw error;
    }
  }
  return binariesIn(root);
}

function canTraverse(directory: string, user: ServerUser): boolean {
  const existing = existsSync(directory) ? directory : dirname(directory);
  if (existing !== directory) return canTraverse(existing, user);
  const { mode, uid, gid } = statSync(directory);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || canTraverse(parent, user);
}
