import { Chains } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CatalogueConfig } from './config/catalogue.config.js';
import { CallBudgetRepository } from './persistence/call-budget.repository.js';
import { FiatRateRepository } from './persistence/fiat-rate.repository.js';
import { MarketRateRepository } from './persistence/market-rate.repository.js';
import { PriceRepository } from './persistence/price.repository.js';
import { EcbRatesAdapter } from './sources/exchange-rates/ecb-rates.adapter.js';
import { ExchangeRatesAdapter } from './sources/exchange-rates/exchange-rates.adapter.js';
import { MarketRatesAdapter } from './sources/exchange-rates/market-rates.adapter.js';
import { KEY_HEADERS } from './prices/market-data-plan.js';
import { CoinGeckoClient } from './sources/market-data/coin-gecko.client.js';
import type { MarketNames } from './sources/market-data/market-groups.js';
import { MarketPricesAdapter } from './sources/market-data/market-prices.adapter.js';
import { PriceObserverService } from './observation/price-observer.service.js';
import { PriceRecorderService } from './observation/price-recorder.service.js';
import { OnchainPricesAdapter } from './sources/onchain-prices.adapter.js';
import { PriceCacheService } from './observation/price-cache.service.js';
import { PRICE_SOURCES, type PriceSource } from './prices/price-source.js';
import { PricesRequestReaderService } from './api/prices-request-reader.service.js';
import type { MarketDataConfig, PricesConfig } from './config/prices.config.js';
import { PricesService } from './api/prices.service.js';
import { UpstreamCallsService } from './upstream/upstream-calls.service.js';
import { UpstreamClient, type UpstreamOptions } from './upstream/upstream.client.js';

const ECB = 'ecb';
const MARKET_DATA = 'market-data';

interface Parts {
  chains: Chains;
  dataSource: DataSource;
  rates: FiatRateRepository;
  marketRates: MarketRateRepository;
  calls: UpstreamCallsService;
  context: ServiceContext;
}

/** Registry of price sources. */
function priceSources({ prices }: CatalogueConfig, parts: Parts): PriceSource[] {
  const { marketData } = prices;
  // One client for all endpoints: they share budget, time limit and circuit breaker.
  const api = marketData && marketDataApi(marketData, prices, parts);
  const marketRates =
    api && new MarketRatesAdapter(api, parts.marketRates, marketData.exchangeRates);
  return [
    new ExchangeRatesAdapter(prices.fiatRates, ecbRates(prices, parts), marketRates),
    ...parts.chains
      .all()
      .map(
        (chain) =>
          new OnchainPricesAdapter(
            chain,
            prices.toleranceBps,
            prices.pools.chains.has(chain.name) ? prices.pools : undefined,
          ),
      ),
    ...(api ? [new MarketPricesAdapter(api, namesIn(parts.chains), marketData)] : []),
  ];
}

function ecbRates(
  { ecb, upstreamTimeoutMs }: PricesConfig,
  parts: Parts,
): EcbRatesAdapter | undefined {
  if (!ecb) return undefined;
  const upstream = upstreamOf(parts, {
    name: ECB,
    url: ecb.url,
    accept: 'application/xml',
    timeoutMs: upstreamTimeoutMs,
  });
  return new EcbRatesAdapter(upstream, parts.rates, ecb);
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
    budget: new CallBudgetRepository(parts.dataSource, MARKET_DATA, {
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
      UpstreamCallsService,
      ServiceContext,
    ],
    useFactory: (
      chains: Chains,
      dataSource: DataSource,
      rates: FiatRateRepository,
      marketRates: MarketRateRepository,
      calls: UpstreamCallsService,
      context: ServiceContext,
    ) => priceSources(config, { chains, dataSource, rates, marketRates, calls, context }),
  },
  PriceRepository,
  FiatRateRepository,
  MarketRateRepository,
  UpstreamCallsService,
  PriceCacheService,
  PriceRecorderService,
  PriceObserverService,
  PricesRequestReaderService,
  PricesService,
];
