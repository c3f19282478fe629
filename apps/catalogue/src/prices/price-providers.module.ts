import { Chains } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CatalogueConfig } from '../catalogue.config.js';
import { StoredCallBudget } from '../persistence/call-budget.repository.js';
import { FiatRateRepository } from '../persistence/fiat-rate.repository.js';
import { MarketRateRepository } from '../persistence/market-rate.repository.js';
import { PriceRepository } from '../persistence/price.repository.js';
import { EcbRates } from './exchange-rates/ecb.adapter.js';
import { ExchangeRates } from './exchange-rates/exchange-rates.adapter.js';
import { MarketExchangeRates } from './exchange-rates/market-rates.adapter.js';
import { CoinGeckoClient, KEY_HEADERS } from './market-data/coingecko.client.js';
import type { MarketNames } from './market-data/market-groups.js';
import { MarketPrices } from './market-data/market-prices.adapter.js';
import { PriceObserver } from './observation/price-observer.service.js';
import { PriceRecorder } from './observation/price-recorder.service.js';
import { OnchainPrices } from './onchain-prices.adapter.js';
import { PriceMemory } from './price-memory.service.js';
import { PRICE_SOURCES, type PriceSource } from './price-source.js';
import { PricesRequestReader } from './prices-request-reader.service.js';
import type { MarketDataConfig, PricesConfig } from './prices.config.js';
import { PricesService } from './prices.service.js';
import { UpstreamCalls } from './upstream/upstream-calls.service.js';
import { UpstreamClient, type UpstreamOptions } from './upstream/upstream.client.js';

const ECB = 'ecb';
const MARKET_DATA = 'market-data';

interface Parts {
  chains: Chains;
  dataSource: DataSource;
  rates: FiatRateRepository;
  marketRates: MarketRateRepository;
  calls: UpstreamCalls;
  context: ServiceContext;
}

/** The one list of price sources. */
function priceSources({ prices }: CatalogueConfig, parts: Parts): PriceSource[] {
  const { marketData } = prices;
  // One client for all of its endpoints: they share its budget, its patience and its trouble.
  const api = marketData && marketDataApi(marketData, prices, parts);
  const marketRates =
    api && new MarketExchangeRates(api, parts.marketRates, marketData.exchangeRates);
  return [
    new ExchangeRates(prices.fiatRates, ecbRates(prices, parts), marketRates),
    ...parts.chains
      .all()
      .map(
        (chain) =>
          new OnchainPrices(chain, prices.pools.chains.has(chain.name) ? prices.pools : undefined),
      ),
    ...(api ? [new MarketPrices(api, namesIn(parts.chains), marketData)] : []),
  ];
}

function ecbRates({ ecb, upstreamTimeoutMs }: PricesConfig, parts: Parts): EcbRates | undefined {
  if (!ecb) return undefined;
  const upstream = upstreamOf(parts, {
    name: ECB,
    url: ecb.url,
    accept: 'application/xml',
    timeoutMs: upstreamTimeoutMs,
  });
  return new EcbRates(upstream, parts.rates, ecb);
}

function marketDataApi(
  config: MarketDataConfig,
  { upstreamTimeoutMs }: PricesConfig,
  parts: Parts,
): CoinGeckoClient {
  const { url, plan, apiKey, callsPerMinute, callsPerMonth } = config;
  const upstream = upstreamOf(parts, {
    name: MARKET_DATA,
    url,
    accept: 'application/json',
    timeoutMs: upstreamTimeoutMs,
    headers: apiKey === undefined ? {} : { [KEY_HEADERS[plan]]: apiKey },
    budget: new StoredCallBudget(parts.dataSource, MARKET_DATA, {
      minute: callsPerMinute,
      month: callsPerMonth,
    }),
  });
  return new CoinGeckoClient(upstream);
}

const namesIn =
  (chains: Chains) =>
  (name: string): MarketNames => {
    const definition = chains.find(name)?.definition;
    return { platform: definition?.coingeckoPlatform, nativeCoin: definition?.nativeCoingeckoId };
  };

function upstreamOf({ calls, context }: Parts, options: UpstreamOptions): UpstreamClient {
  const upstream = new UpstreamClient({ ...options, onCall: calls.of(options.name) });
  context.shutdown.add('transport', `upstream ${options.name}`, () => upstream.close());
  return upstream;
}

export const priceProviders = (config: CatalogueConfig): Provider[] => [
  {
    provide: PRICE_SOURCES,
    inject: [
      Chains,
      DataSource,
      FiatRateRepository,
      MarketRateRepository,
      UpstreamCalls,
      ServiceContext,
    ],
    useFactory: (
      chains: Chains,
      dataSource: DataSource,
      rates: FiatRateRepository,
      marketRates: MarketRateRepository,
      calls: UpstreamCalls,
      context: ServiceContext,
    ) => priceSources(config, { chains, dataSource, rates, marketRates, calls, context }),
  },
  PriceRepository,
  FiatRateRepository,
  MarketRateRepository,
  UpstreamCalls,
  PriceMemory,
  PriceRecorder,
  PriceObserver,
  PricesRequestReader,
  PricesService,
];
