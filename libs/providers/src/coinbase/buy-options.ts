import type { TokenIdentifier } from '@bascule/contracts';
import type { OnrampLimits } from '../port/onramp-provider.js';
import { JsonObject, readEach } from '../wire/json-object.js';
import { isLockable } from '../wire/locked-terms.js';
import { nativeOnChain, tokenOnChain } from '../wire/tokens.js';

/** An asset on one network, as Coinbase names both. */
export interface SoldAsset {
  symbol: string;
  network: string;
  token: TokenIdentifier;
}

/** Currencies and assets for customers in one place. */
export interface BuyOptions {
  /** Limits by lower-case fiat code, then by v1 method. */
  fiats: ReadonlyMap<string, ReadonlyMap<string, OnrampLimits>>;
  assets: readonly SoldAsset[];
}

const NATIVE_CONTRACT = /^0x(0{40}|[eE]{40})$/;

/** Documented as `limits`, and as `payment_method_limits` with ids in lower case. */
function readFiat(item: JsonObject): [string, ReadonlyMap<string, OnrampLimits>] {
  const field = item.has('payment_method_limits') ? 'payment_method_limits' : 'limits';
  const limits = readEach(item.list(field), field, (limit): [string, OnrampLimits] => [
    limit.string('id').toUpperCase(),
    { min: limit.decimal('min'), max: limit.decimal('max') },
  ]);
  return [item.string('id').toLowerCase(), new Map(limits)];
}

/** An asset without a contract is sold only under the symbol of its chain's currency. */
function readToken(network: JsonObject, symbol: string): TokenIdentifier | undefined {
  if (!network.has('chain_id')) return undefined;
  const chainId = Number(network.string('chain_id'));
  const contract = network.optional('contract_address');
  return contract === undefined || NATIVE_CONTRACT.test(contract)
    ? nativeOnChain(chainId, symbol)
    : tokenOnChain(chainId, contract);
}

function readAssets(item: JsonObject): SoldAsset[] {
  const symbol = item.string('symbol').toUpperCase();
  return readEach(item.list('networks'), 'networks', (each) => {
    const token = readToken(each, symbol);
    const network = each.string('name');
    const isSold = token !== undefined && [symbol, network].every(isLockable);
    return isSold ? [{ symbol, network, token }] : [];
  }).flat();
}

/** Reads `GET /onramp/v1/buy/options`. An asset on another chain is left out; the first of two with a token is sold. */
export function readBuyOptions(body: unknown): BuyOptions {
  const answer = JsonObject.of(body);
  const read = <T>(field: string, reader: (item: JsonObject) => T): T[] =>
    readEach(answer.list(field), field, reader);
  const assets = read('purchase_currencies', readAssets).flat();
  return {
    fiats: new Map(read('payment_currencies', readFiat)),
    assets: assets.filter(
      ({ token }, index) => assets.findIndex((each) => each.token === token) === index,
    ),
  };
}
