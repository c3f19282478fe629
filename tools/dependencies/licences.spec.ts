import { describe, expect, it } from '@jest/globals';

interface LockEntry {
  license?: unknown;
  link?: boolean;
  resolved?: string;
  dev?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
type Packages = Record<string, LockEntry>;
type Exceptions = Record<string, { licence: string; reason: string; ships?: boolean }>;

const { productionClosure } = (await import(
  // @ts-expect-error scripts without types
  './production-closure.mjs'
)) as { productionClosure(packages: Packages, root: string): string[] };
const { EXCEPTIONS, licenceProblems } = (await import(
  // @ts-expect-error scripts without types
  './licences.mjs'
)) as {
  EXCEPTIONS: Exceptions;
  licenceProblems(
    packages: Packages,
    licenceOf?: (key: string) => unknown,
    exceptions?: Exceptions,
  ): string[];
};
const { installedLicence, lockedPackages } = (await import(
  // @ts-expect-error scripts without types
  './lock-file.mjs'
)) as { installedLicence(key: string): unknown; lockedPackages(): Packages };

const SERVICES = [
  'gateway',
  'quote',
  'payment',
  'withdrawal',
  'catalogue',
  'webhook-dispatch',
  'attester',
];

const problemsOf = (license: unknown, dev = false, exceptions: Exceptions = {}) =>
  licenceProblems(
    { 'node_modules/one': { license, ...(dev && { dev }) } },
    () => undefined,
    exceptions,
  );

describe('the installed packages', () => {
  it('have an allowed licence, or an argued exception', () => {
    expect(licenceProblems(lockedPackages(), installedLicence)).toEqual([]);
  });

  it('have exceptions with a reason', () => {
    for (const { reason } of Object.values(EXCEPTIONS)) expect(reason.length).toBeGreaterThan(20);
  });

  it.each(SERVICES)('hold no local servers and no test helpers in %s', (service) => {
    const closure = productionClosure(lockedPackages(), `apps/${service}`);
    expect(closure).toContain('libs/process');
    expect(closure).not.toContain('libs/local-stack');
    expect(closure).not.toContain('libs/testing');
  });
});

describe('the check of licences', () => {
  it.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0)', 'Apache-2.0 AND MIT'])('allows %s', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each(['GPL-3.0', 'AGPL-3.0', 'BUSL-1.1', 'MIT AND GPL-3.0', 'CC-BY-4.0', 'Elastic-2.0'])(
    'refuses to ship %s',
    (text) => {
      expect(problemsOf(text)).toEqual([`node_modules/one: ${text} may not ship`]);
    },
  );

  it('allows a few more for development, without copyleft', () => {
    expect(problemsOf('CC-BY-4.0', true)).toEqual([]);
    expect(problemsOf('LGPL-3.0', true)).toEqual(['node_modules/one: LGPL-3.0']);
  });

  it.each([undefined, [{ type: 'MIT' }], 'SEE LICENSE IN FILE', 'MIT OR X AND Y'])(
    'refuses what it cannot read: %j',
    (license) => {
      expect(problemsOf(license)).toHaveLength(1);
    },
  );

  it('reads the manifest where the lock file has no licence', () => {
    const packages = { 'node_modules/one': {} };
    expect(licenceProblems(packages, () => 'ISC', {})).toEqual([]);
  });

  it('takes an exception for the licence that it names, and not to ship unless it says so', () => {
    const one = { licence: 'GPL-3.0', reason: 'a test' };
    expect(problemsOf('GPL-3.0', true, { one })).toEqual([]);
    expect(problemsOf('GPL-3.0', false, { one: { ...one, ships: true } })).toEqual([]);
    expect(problemsOf('GPL-3.0', false, { one })).toContain(
      'node_modules/one: GPL-3.0 may not ship',
    );
    expect(problemsOf('BUSL-1.1', true, { one })).toContain('node_modules/one: BUSL-1.1');
  });

  it('refuses an exception that no package needs', () => {
    const exceptions = { one: { licence: 'GPL-3.0', reason: 'a test' } };
    expect(problemsOf('MIT', false, exceptions)).toEqual(['one: needs no exception']);
  });
});

describe('the production closure', () => {
  it('follows workspace packages and nested folders, not development dependencies', () => {
    const packages: Packages = {
      'apps/one': { dependencies: { lib: '*', fine: '1' } },
      'libs/lib': { dependencies: { other: '1' }, devDependencies: { unused: '1' } },
      'node_modules/lib': { link: true, resolved: 'libs/lib' },
      'node_modules/fine': { dependencies: { nested: '1' } },
      'node_modules/fine/node_modules/nested': {},
      'node_modules/other': {},
      'node_modules/unused': {},
    };
    expect(productionClosure(packages, 'apps/one').sort()).toEqual([
      'apps/one',
      'libs/lib',
      'node_modules/fine',
      'node_modules/fine/node_modules/nested',
      'node_modules/other',
    ]);
  });
});
