import { isFiatCode, isTokenIdentifier } from '@bascule/contracts';
import { parseArguments, textFlags, UsageError } from '@bascule/operator-commands';
import type { AssetChanges } from '../assets/asset-override.js';

/** Changes by the operator; `decimals` always comes from the contract. */
export type OverrideChanges = Omit<AssetChanges, 'decimals'>;

/** Choices of the operator about how the contract is read. */
export interface TokenReading {
  /** Nodes to ask, comma-separated as in `RPC_URLS_<CHAIN>`; null for the configured ones, or else the public one. */
  rpcUrls: string | null;
  /** Decimals that the operator knows from elsewhere. */
  decimals: number | null;
}

export type AssetCommand =
  | { name: 'list'; chain: string | null; overridden: boolean }
  | ({ name: 'add'; id: string; changes: OverrideChanges; isSure: boolean } & TokenReading)
  | { name: 'override'; id: string; changes: OverrideChanges; isSure: boolean }
  | { name: 'hide' | 'show' | 'reset'; id: string }
  | { name: 'history'; id: string };

const TEXTS = textFlags(
  'name',
  'symbol',
  'image-url',
  'alias',
  'coingecko-id',
  'pair',
  'chain',
  'rpc-url',
  'decimals',
);
const OPTIONS = { ...TEXTS, overridden: { type: 'boolean' }, sure: { type: 'boolean' } } as const;
type Flags = Partial<Record<keyof typeof TEXTS, string>> & {
  overridden?: boolean;
  sure?: boolean;
};

const PRINTABLE = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,98}[^\p{C}\p{Z}])?$/u;
const SYMBOL = /^[^\p{C}\p{Z}]{1,32}$/u;
const COIN = /^[a-z0-9][a-z0-9._-]{0,99}$/;

const PAIR = /^[a-z0-9]+\/usd$/;
const DECIMALS = /^\d{1,3}$/;

const isHttp = (protocols: readonly string[]) => (text: string) =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);

function checked(
  flags: Flags,
  flag: keyof typeof TEXTS,
  isRight: (text: string) => boolean,
): string | undefined {
  const value = flags[flag];
  if (value !== undefined && !isRight(value))
    throw new UsageError(`--${flag} cannot be "${value}"`);
  return value;
}

function changesOf(flags: Flags): OverrideChanges {
  const name = checked(flags, 'name', (text) => PRINTABLE.test(text));
  const symbol = checked(flags, 'symbol', (text) => SYMBOL.test(text));
  const imageUrl = checked(flags, 'image-url', isHttp(['https:']));
  const alias = checked(flags, 'alias', (text) => PRINTABLE.test(text));
  const coin = checked(flags, 'coingecko-id', (text) => COIN.test(text));
  const pair = checked(flags, 'pair', (text) => PAIR.test(text));
  return {
    ...(name !== undefined && { name }),
    ...(symbol !== undefined && { symbol }),
    ...(imageUrl !== undefined && { image_url: imageUrl }),
    ...(alias !== undefined && { alias }),
    ...(coin !== undefined && { coingecko_id: coin }),
    ...(pair !== undefined && { pair }),
  };
}

function assetId(text: string | undefined): string {
  if (text === undefined) throw new UsageError('expected an asset');
  const isAsset = isTokenIdentifier(text) || isFiatCode(text);
  if (!isAsset) throw new UsageError(`expected a fiat code or token identifier, got ${text}`);
  return text.toLowerCase();
}

function added(text: string | undefined, flags: Flags): AssetCommand {
  const id = assetId(text);
  if (!isTokenIdentifier(id) || id.endsWith(':0x')) {
    throw new UsageError(
      'only tokens can be added; currencies are part of a release or of their chain',
    );
  }
  const changes = changesOf(flags);
  if (changes.image_url === undefined) throw new UsageError('--image-url is missing');
  const isNode = isHttp(['http:', 'https:']);
  const rpcUrls = checked(flags, 'rpc-url', (text) => text.split(',').every(isNode)) ?? null;
  const decimals = checked(flags, 'decimals', (text) => DECIMALS.test(text));
  return {
    name: 'add',
    id,
    changes,
    rpcUrls,
    decimals: decimals === undefined ? null : Number(decimals),
    isSure: flags.sure ?? false,
  };
}

function overridden(text: string | undefined, flags: Flags): AssetCommand {
  const id = assetId(text);
  if (flags.decimals !== undefined) throw new UsageError('no command changes decimals');
  const changes = changesOf(flags);
  if (Object.keys(changes).length === 0) throw new UsageError('expected at least one change');
  return { name: 'override', id, changes, isSure: flags.sure ?? false };
}

const COMMANDS: Record<string, (id: string | undefined, flags: Flags) => AssetCommand> = {
  list: (_, flags) => ({
    name: 'list',
    chain: flags.chain ?? null,
    overridden: flags.overridden ?? false,
  }),
  add: added,
  override: overridden,
  hide: (id) => ({ name: 'hide', id: assetId(id) }),
  show: (id) => ({ name: 'show', id: assetId(id) }),
  reset: (id) => ({ name: 'reset', id: assetId(id) }),
  history: (id) => ({ name: 'history', id: assetId(id) }),
};

/** @throws UsageError */
export function parseAssetCommand(argv: readonly string[]): AssetCommand {
  const { values, positionals } = parseArguments(argv, OPTIONS);
  const [name = '', id, ...more] = positionals;
  const parse = COMMANDS[name];
  if (parse === undefined || more.length > 0) {
    throw new UsageError(`unknown command: ${positionals.join(' ')}`);
  }
  return parse(id, values);
}
