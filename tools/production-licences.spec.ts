import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockEntry {
  license?: string;
  link?: boolean;
  resolved?: string;
  dev?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
type Packages = Record<string, LockEntry>;

const { productionClosure, refusedLicences } = (await import(
  // @ts-expect-error scripts without types
  './production-licences.mjs'
)) as {
  productionClosure(packages: Packages, root: string): string[];
  refusedLicences(
    packages: Packages,
    root: string,
    licenceOf?: (key: string) => string | undefined,
  ): string[];
};

const root = join(import.meta.dirname, '..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Packages;
};

function installedLicence(key: string): string | undefined {
  const manifest = join(root, key, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { license } = JSON.parse(readFileSync(manifest, 'utf8')) as { license?: string };
  return license;
}

const SERVICES = [
  'gateway',
  'quote',
  'payment',
  'withdrawal',
  'catalogue',
  'webhook-dispatch',
  'attester',
];

describe('the production dependencies of a service', () => {
  it.each(SERVICES)('carry no GPL, AGPL or BUSL code in %s', (service) => {
    expect(refusedLicences(lock.packages, `apps/${service}`, installedLicence)).toEqual([]);
  });

  it.each(SERVICES)('hold no local servers and no test helpers in %s', (service) => {
    const closure = productionClosure(lock.packages, `apps/${service}`);
    expect(closure).toContain('libs/process');
    expect(closure).not.toContain('libs/local-stack');
    expect(closure).not.toContain('libs/testing');
  });

  it('hold nothing refused in the whole workspace', () => {
    const production = Object.entries(lock.packages).filter(([key, { dev, link }]) => {
      return key.includes('node_modules/') && dev !== true && link !== true;
    });
    expect(production.length).toBeGreaterThan(100);
    const refused = production.flatMap(([key]) =>
      refusedLicences({ [key]: { license: lock.packages[key]?.license } }, key, installedLicence),
    );
    expect(refused).toEqual([]);
  });
});

describe('the check of licences', () => {
  const packages: Packages = {
    'apps/one': { license: 'Apache-2.0', dependencies: { lib: '*', fine: '1' } },
    'libs/lib': {
      license: 'Apache-2.0',
      dependencies: { copyleft: '1' },
      devDependencies: { unused: '1' },
    },
    'node_modules/lib': { link: true, resolved: 'libs/lib' },
    'node_modules/fine': { license: 'MIT', dependencies: { nameless: '1' } },
    'node_modules/fine/node_modules/nameless': {},
    'node_modules/copyleft': { license: 'GPL-2.0-or-later' },
    'node_modules/unused': { license: 'BUSL-1.1' },
  };

  it('follows workspace packages and nested folders, not development dependencies', () => {
    expect(productionClosure(packages, 'apps/one').sort()).toEqual([
      'apps/one',
      'libs/lib',
      'node_modules/copyleft',
      'node_modules/fine',
      'node_modules/fine/node_modules/nameless',
    ]);
  });

  it('names a refused licence and a package without one', () => {
    expect(refusedLicences(packages, 'apps/one').sort()).toEqual([
      'node_modules/copyleft: GPL-2.0-or-later',
      'node_modules/fine/node_modules/nameless: UNKNOWN',
    ]);
    const licenceOf = () => 'ISC';
    expect(refusedLicences(packages, 'apps/one', licenceOf)).toHaveLength(1);
  });

  it.each(['AGPL-3.0', 'BUSL-1.1', '(MIT OR GPL-3.0)'])('refuses %s', (license) => {
    const one: Packages = { 'apps/one': { license } };
    expect(refusedLicences(one, 'apps/one')).toHaveLength(1);
  });
});
