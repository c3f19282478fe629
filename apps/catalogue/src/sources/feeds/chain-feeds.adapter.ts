import type { Chain, PriceFeed } from '@bascule/chain';
import { parseAbi, type Address, type ContractFunctionParameters } from 'viem';
import type { ListedToken } from '../../assets/listed-assets.js';
import type { Observation, SourceQuote } from '../../prices/price-source.js';
import type { AgreedBlockClient } from '../agreed-block.client.js';
import { blockTime } from './block-time.js';
import { isDescribedAs, priceOfRound } from './feed-round.js';
import { isSequencerUp } from './is-sequencer-up.js';

const aggregatorV3Abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

interface ListedFeed extends PriceFeed {
  pair: string;
}

/** Price feeds (Chainlink's AggregatorV3Interface) of one chain for its tokens. */
export class ChainFeedsAdapter {
  readonly source: string;

  constructor(private readonly chain: Chain) {
    this.source = `feeds:${chain.name}`;
  }

  /** Reads all feeds in one multicall. Mislabelled feeds give no price, nor does any feed while the sequencer is down. */
  async read(
    block: AgreedBlockClient,
    now: Date,
    tokens: readonly ListedToken[],
  ): Promise<Observation> {
    const feeds = this.feedsFor(tokens);
    if (feeds.length === 0) return { quotes: [], errors: [] };
    const { sequencerUptimeFeed: uptime } = this.chain.definition.contracts;
    const read = (address: Address, functionName: string): ContractFunctionParameters => ({
      address,
      abi: aggregatorV3Abi,
      functionName,
    });
    const { answers, timestamp } = await block.call([
      ...(uptime ? [read(uptime, 'latestRoundData')] : []),
      ...feeds.flatMap(({ address }) => [
        read(address, 'latestRoundData'),
        read(address, 'decimals'),
        read(address, 'description'),
      ]),
    ]);
    const failures = answers.flatMap((answer): unknown[] =>
      answer.status === 'failure' ? [answer.error] : [],
    );
    const results: unknown[] = answers.map(({ result }) => result);
    const confirmedAt = blockTime(timestamp, now);
    if (!confirmedAt) {
      const lag = new Error(`node of ${this.chain.name} lags behind`);
      return { quotes: [], errors: [lag, ...failures] };
    }
    const [uptimeRound] = uptime ? results.splice(0, 1) : [];
    if (uptime && !isSequencerUp(roundOf(uptimeRound), now)) {
      const errors = [new Error(`sequencer of ${this.chain.name} is down`)];
      // An unreadable uptime feed does not retract the last prices.
      const retracted = uptimeRound ? pricedBy(feeds, tokens) : [];
      return { quotes: [], retracted, errors };
    }
    const { quotes, errors } = this.quotesOf(feeds, results, tokens, { now, confirmedAt });
    return { quotes, errors: [...errors, ...failures] };
  }

  private quotesOf(
    feeds: readonly ListedFeed[],
    results: readonly unknown[],
    tokens: readonly ListedToken[],
    { now, confirmedAt }: { now: Date; confirmedAt: Date },
  ): Observation {
    const errors: unknown[] = [];
    const quotes = feeds.flatMap((feed, index): SourceQuote[] => {
      const [round, decimals, description] = results.slice(3 * index, 3 * index + 3);
      if (typeof decimals !== 'number' || typeof description !== 'string' || !round) return [];
      if (!isDescribedAs(description, feed)) {
        errors.push(
          new Error(
            `expected feed ${feed.pair} at ${feed.address} on ${this.chain.name}, found ${JSON.stringify(description)}`,
          ),
        );
        return [];
      }
      const { answer, updatedAt } = roundOf(round);
      const { heartbeatSeconds } = feed;
      const usd = priceOfRound({ answer, updatedAt }, { decimals, heartbeatSeconds, now });
      if (!usd) return [];
      // The chain's clock may be ahead.
      const asOf = new Date(Math.min(Number(updatedAt) * 1000, now.getTime()));
      return tokens
        .filter(({ pair }) => pair === feed.pair)
        .map(({ id }) => ({ asset: id, usd, source: this.source, asOf, confirmedAt }));
    });
    return { quotes, errors };
  }

  private feedsFor(tokens: readonly ListedToken[]): ListedFeed[] {
    const used = new Set(tokens.map(({ pair }) => pair));
    return Object.entries(this.chain.definition.contracts.priceFeeds ?? {})
      .filter(([pair]) => used.has(pair))
      .map(([pair, feed]) => ({ pair, ...feed }));
  }
}

const pricedBy = (feeds: readonly ListedFeed[], tokens: readonly ListedToken[]): string[] => {
  const pairs = new Set(feeds.map(({ pair }) => pair));
  return tokens.flatMap(({ id, pair }) => (pair !== undefined && pairs.has(pair) ? [id] : []));
};

const NEVER = { answer: 0n, startedAt: 0n, updatedAt: 0n };

/** Reads a round; a failed call gives one that is never used. */
function roundOf(result: unknown): typeof NEVER {
  if (!Array.isArray(result)) return NEVER;
  const [, answer, startedAt, updatedAt] = result as unknown[];
  const isRound = [answer, startedAt, updatedAt].every((value) => typeof value === 'bigint');
  return isRound ? ({ answer, startedAt, updatedAt } as typeof NEVER) : NEVER;
}
