import {
  COUNTRY_RULES_KEY,
  SWITCHES_KEY,
  TOPICS,
  tokenIdentifier,
  venueRatingKey,
  type FiatAsset,
  type TokenAsset,
} from '@bascule/contracts';
import type {
  AssetState,
  CountryRulesState,
  OrganisationState,
  PriceState,
  SwitchesState,
  TopicDefinition,
  VenueRatingState,
} from '@bascule/contracts';
import { createEnvelope, type OutgoingRecord } from '@bascule/messaging';
import { developmentAddresses } from '@bascule/solidity';

const { weth, usdc, usdt, wbtc } = developmentAddresses;

export const USDC = tokenIdentifier('alphanet', usdc);
export const USDT = tokenIdentifier('alphanet', usdt);
export const WETH = tokenIdentifier('alphanet', weth);
export const NATIVE = 'alphanet:0x' as const;
export const FOREIGN_USDC = tokenIdentifier('betanet', usdc);
export const FOREIGN_WETH = tokenIdentifier('betanet', weth);
export const FOREIGN_NATIVE = 'betanet:0x' as const;
/** On a chain that stands have only where they configure it. */
export const DELTA_USDC = tokenIdentifier('deltanet', usdc);
export const DELTA_NATIVE = 'deltanet:0x' as const;
/** Listed and in pools, but without a price. */
export const UNPRICED = tokenIdentifier('alphanet', wbtc);

const fiat = (symbol: string): FiatAsset => ({
  issuer: '',
  name: symbol,
  symbol,
  decimals: 2,
  image_url: '',
});
export const token = (identifier: string, symbol: string, decimals: number): TokenAsset => ({
  chain: identifier.slice(0, identifier.indexOf(':')),
  address: identifier.slice(identifier.indexOf(':') + 1),
  name: symbol,
  symbol,
  decimals,
  image_url: '',
  is_native: identifier.endsWith(':0x'),
});

export const ASSETS: Record<string, FiatAsset | TokenAsset> = {
  usd: fiat('USD'),
  eur: fiat('EUR'),
  gbp: fiat('GBP'),
  [NATIVE]: token(NATIVE, 'ETH', 18),
  [WETH]: token(WETH, 'WETH', 18),
  [USDC]: token(USDC, 'USDC', 6),
  [USDT]: token(USDT, 'USDT', 6),
  [FOREIGN_USDC]: token(FOREIGN_USDC, 'USDC', 6),
  [FOREIGN_WETH]: token(FOREIGN_WETH, 'WETH', 18),
  [FOREIGN_NATIVE]: token(FOREIGN_NATIVE, 'ETH', 18),
  [DELTA_USDC]: token(DELTA_USDC, 'USDC', 6),
  [DELTA_NATIVE]: token(DELTA_NATIVE, 'ETH', 18),
  [UNPRICED]: token(UNPRICED, 'WBTC', 8),
};

/** Prices of the development pools in US dollars; none of gbp. */
export const PRICES: Record<string, string> = {
  usd: '1',
  eur: '1.25',
  [NATIVE]: '3000',
  [WETH]: '3000',
  [USDC]: '1',
  [USDT]: '1',
  [FOREIGN_USDC]: '1',
  [FOREIGN_WETH]: '3000',
  [FOREIGN_NATIVE]: '3000',
  [DELTA_USDC]: '1',
  [DELTA_NATIVE]: '3000',
};

const SOURCES = new Map<TopicDefinition, string>([
  [TOPICS.organisation, 'gateway'],
  [TOPICS.countryRules, 'gateway'],
  [TOPICS.switches, 'gateway'],
  [TOPICS.venues, 'payment'],
]);

const record = (
  topic: TopicDefinition,
  type: string,
  key: string,
  data: object,
): OutgoingRecord => {
  const envelope = createEnvelope(
    { topic, type, key, data },
    { source: SOURCES.get(topic) ?? 'catalogue', environment: 'test' },
  );
  return { topic: topic.name, key, headers: {}, value: Buffer.from(JSON.stringify(envelope)) };
};

export function assetRecord(
  asset: string,
  version = 1,
  listed = true,
  details = ASSETS[asset],
): OutgoingRecord {
  if (!details) throw new Error(`no asset ${asset}`);
  const data: AssetState = { version, id: asset, asset: details, listed };
  return record(TOPICS.catalogue, listed ? 'asset.listed' : 'asset.delisted', asset, data);
}

export function priceRecord(asset: string, usd: string, version = 1): OutgoingRecord {
  const data: PriceState = {
    version,
    asset,
    usd,
    observed_at: new Date().toISOString(),
    sources: ['test'],
  };
  return record(TOPICS.price, 'price.observed', asset, data);
}

/** Settings of an organisation, without any by default. */
export function organisationRecord(
  org_id: string,
  version: number,
  settings: Partial<OrganisationState> = {},
): OutgoingRecord {
  const none = { revenue_shares: [], opened_edges: [], redirect_origins: [] };
  const data: OrganisationState = { ...none, ...settings, version, org_id };
  return record(TOPICS.organisation, 'organisation.configured', org_id, data);
}

export const countryRulesRecord = (rules: CountryRulesState): OutgoingRecord =>
  record(TOPICS.countryRules, 'country_rules.changed', COUNTRY_RULES_KEY, rules);

/** Rating of a venue, as payment publishes it. */
export const venueRatingRecord = (rating: VenueRatingState): OutgoingRecord =>
  record(TOPICS.venues, 'venue.rated', venueRatingKey(rating), rating);

export const switchesRecord = (switches: SwitchesState): OutgoingRecord =>
  record(TOPICS.switches, 'switches.changed', SWITCHES_KEY, switches);
