import { chainDefinitions, type ChainDefinition } from '@bascule/chain';
import { sanctionsOracles } from '@bascule/screening';
import type { BRIDGE_ADAPTERS } from '@bascule/venues';
import { foreignContracts, venuesOf } from './contracts-of.js';
import { table } from './markdown.js';
import { CCTP_DOMAINS, FACT_SOURCES, VENUE_SOURCES } from './sources.js';

/** Symbols of the listed tokens, by name of the chain. */
export type TokenSymbols = Readonly<Record<string, readonly string[]>>;

export const mainNetworks: readonly ChainDefinition[] = Object.values(chainDefinitions).filter(
  ({ isTestnet }) => !isTestnet,
);

/** Bridge on a chain, for each adapter; an adapter without a line does not compile. */
const BRIDGES: Record<keyof typeof BRIDGE_ADAPTERS, string> = { 'intent-escrow': 'intent escrow' };

/** Writes `docs/networks.md`, as Markdown that is not formatted yet. */
export function networksDocument(symbols: TokenSymbols): string {
  return [
    '<!-- Written by `npm run networks` from the definitions of chains; do not edit. -->',
    '# Networks',
    'Facts of the main networks, from the definitions in `libs/chain/src/definitions`. Nothing here was read from a chain: `npm run operator -- preflight` ([what it checks](operations/preflight.md)) compares them with your nodes. How a chain is enabled or added: [chains](chains.md).',
    facts(symbols),
    '## Sources',
    sources(),
    '## Contracts of others',
    'Our own contracts are in [their README](../libs/solidity/README.md). A sanctions oracle is used where `SCREENING_ORACLES` names it ([screening](../libs/screening/README.md)).',
    ...mainNetworks.flatMap((chain) => [`### ${chain.network}`, contracts(chain)]),
  ].join('\n\n');
}

function facts(symbols: TokenSymbols): string {
  const rows = mainNetworks.map((chain) => [
    `\`${chain.name}\``,
    String(chain.chainId),
    chain.nativeCurrency.symbol,
    (symbols[chain.name] ?? []).join(', '),
    venuesOf(chain.contracts)
      .map(({ label }) => label)
      .join(', '),
    bridgesOf(chain).join(', '),
    Object.keys(chain.contracts.priceFeeds ?? {}).join(', '),
    `${chain.blockTimeMs / 1_000} s`,
    String(chain.confirmations),
    chain.finality === 'finalized' ? '`finalized` block' : 'confirmations',
    chain.explorer ?? 'none',
    code(sanctionsOracles[chain.name]),
  ]);
  return table(
    [
      ...['network', 'chain id', 'native currency', 'tokens', 'venues', 'bridges', 'price feeds'],
      ...['block time', 'confirmations', 'finality', 'explorer', 'sanctions oracle'],
    ],
    rows,
  );
}

const code = (text: string | undefined): string => (text === undefined ? 'none' : `\`${text}\``);

function bridgesOf({ name }: ChainDefinition): readonly string[] {
  const domain = CCTP_DOMAINS[name];
  return [...Object.values(BRIDGES), ...(domain === undefined ? [] : [`CCTP domain ${domain}`])];
}

function sources(): string {
  const venues = new Map(
    mainNetworks
      .flatMap(({ contracts: all }) => venuesOf(all))
      .map(({ key, label }) => [label, VENUE_SOURCES[key] ?? 'not documented']),
  );
  return table(['fact', 'source'], [...FACT_SOURCES, ...venues]);
}

function contracts(chain: ChainDefinition): string {
  const named = [
    { name: 'Multicall3', address: chain.contracts.multicall3 },
    ...foreignContracts(chain),
  ];
  const oracle = sanctionsOracles[chain.name];
  return table(
    ['contract', 'address'],
    [
      ...named.map(({ name, address }) => [name, code(address)]),
      ...(oracle === undefined ? [] : [['sanctions oracle', code(oracle)]]),
    ],
  );
}
