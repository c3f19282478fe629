import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MODULE = new URL('./prerequisites.mjs', import.meta.url).href;

/** A machine whose whole PATH is one folder. */
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'bascule-path-'));
});
afterEach(() => rmSync(path, { recursive: true }));

function program(name: string, script: string): void {
  writeFileSync(join(path, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(path, name), 0o755);
}

const java = (version: string) => `echo 'openjdk version "${version}" 2025-04-15' >&2`;

function haveJava(version: string): void {
  program('java', java(version));
}

function haveTheRest(): void {
  program('mvn', 'exit 0');
  program('redis-server', 'exit 0');
}

/** Knows `packages`, and writes down what it is told; what it installs is there afterwards. */
function haveDebian(packages: readonly string[]): void {
  program('apt-cache', `case " ${packages.join(' ')} " in *" $3 "*) ;; *) exit 100;; esac`);
  program(
    'apt-get',
    `echo "$DEBIAN_FRONTEND: $*" >> ${path}/apt.log
if [ "$1" = install ]; then
  for package in "$@"; do
    case "$package" in
      openjdk-*) printf '#!/bin/sh\\n%s\\n' '${java('21.0.4').replaceAll("'", `'"'"'`)}' > ${path}/java;;
      maven) printf '#!/bin/sh\\n' > ${path}/mvn;;
      redis-server) printf '#!/bin/sh\\n' > ${path}/redis-server;;
    esac
  done
  /bin/chmod +x ${path}/*
fi`,
  );
}

const aptSaid = () => {
  const log = join(path, 'apt.log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
};

/** The error's message, or '' when everything is there. */
function ensure({ isRoot, forTests = false }: { isRoot: boolean; forTests?: boolean }): string {
  const script = `import { ensurePrerequisites } from ${JSON.stringify(MODULE)};
    try { ensurePrerequisites({ isRoot: ${isRoot}, forTests: ${forTests}, systemPrograms: ${JSON.stringify(path)} }); } catch (error) { console.log('refused', error.message); }`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { env: { PATH: path }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return /refused ([^]*)/.exec(stdout)?.[1] ?? '';
}

describe('the prerequisites', () => {
  it('installs nothing when all are present', () => {
    haveDebian(['openjdk-17-jre-headless']);
    haveJava('17.0.15');
    haveTheRest();
    expect(ensure({ isRoot: true })).toBe('');
    expect(aptSaid()).toEqual([]);
  });

  it('installs missing ones as root on Debian after apt-get update', () => {
    haveDebian(['openjdk-17-jre-headless', 'maven', 'redis-server']);
    expect(ensure({ isRoot: true })).toBe('');
    expect(aptSaid().slice(1)).toEqual([
      'noninteractive: update',
      'noninteractive: install --yes --no-install-recommends openjdk-17-jre-headless maven redis-server',
    ]);
  });

  it('installs the Java version of the distribution', () => {
    haveDebian(['openjdk-21-jre-headless']);
    haveTheRest();
    haveJava('11.0.2');
    expect(ensure({ isRoot: true })).toBe('');
    expect(aptSaid().at(-1)).toMatch(/install .* openjdk-21-jre-headless$/);
  });

  it('prints the install command without root', () => {
    haveDebian(['openjdk-17-jre-headless', 'maven', 'redis-server']);
    haveJava('1.8.0_402');
    const error = ensure({ isRoot: false });
    expect(error).toContain('Java 17 or later, Maven, Redis');
    expect(error).toContain('apt-get install --yes openjdk-17-jre-headless maven redis-server');
    expect(aptSaid().slice(1)).toEqual([]);
  });

  it('names missing ones without apt-get', () => {
    haveJava('21.0.4');
    program('mvn', 'exit 0');
    expect(ensure({ isRoot: true })).toMatch(/^Not found: Redis\nInstall Redis\./);
  });

  it('names the programs of the README, the browser, PgBouncer and Go for tests only', () => {
    haveJava('21.0.4');
    haveTheRest();
    expect(ensure({ isRoot: true })).toBe('');
    expect(ensure({ isRoot: true, forTests: true })).toMatch(
      /^Not found: curl, jq, chromium, PgBouncer, Go\n/,
    );
    for (const name of ['curl', 'jq', 'chromium', 'pgbouncer', 'go']) program(name, 'exit 0');
    expect(ensure({ isRoot: true, forTests: true })).toBe('');
  });

  it('reports a missing package', () => {
    haveDebian(['maven']);
    haveTheRest();
    expect(ensure({ isRoot: true })).toContain('no package for Java 17');
  });

  it('reports a package without the program', () => {
    haveDebian(['openjdk-17-jre-headless', 'maven', 'redis-server']);
    program('apt-get', 'exit 0');
    expect(ensure({ isRoot: true })).toContain(
      'Not found: Java 17 or later, Maven, Redis, although',
    );
  });

  it('reports a failed apt-get', () => {
    haveDebian([]);
    program('apt-get', '[ "$1" = --version ]');
    expect(ensure({ isRoot: true })).toContain('apt-get update failed');
  });
});
