import type { Chain } from '@bascule/chain';
import { parseAbi, type Address } from 'viem';
import type { ListedToken } from '../assets/listed-assets.js';
import { priceOfAnswer } from './feed-answer.js';
import type { ObservedPrice, PriceSource } from './price-source.js';

const aggregatorV3Abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** The aggregators (Chainlink's AggregatorV3Interface) on one chain, for the tokens of that chain. */
export class ChainFeeds implements PriceSource {
  readonly name: string;

  constructor(
    private readonly chain: Chain,
    private readonly tokens: readonly ListedToken[],
  ) {
    this.name = `feeds:${chain.name}`;
  }

  async observe(now: Date): Promise<ObservedPrice[]> {
    const feeds = this.feeds();
    const answers = await this.chain.client.multicall({
      allowFailure: true,
      batchSize: 0,
      contracts: feeds.flatMap(({ address }) => [
        { address, abi: aggregatorV3Abi, functionName: 'decimals' } as const,
        { address, abi: aggregatorV3Abi, functionName: 'latestRoundData' } as const,
      ]),
    });
    const failed = answers.flatMap((answer): unknown[] =>
      answer.status === 'failure' ? [answer.error] : [],
    );
    if (failed.length > 0 && failed.length === answers.length) {
      throw new AggregateError(failed, `no price feed of ${this.chain.name} can be read`);
    }
    const prices = new Map(
      feeds.flatMap(({ pair }, index) => {
        const decimals = answers[2 * index];
        const round = answers[2 * index + 1];
        if (typeof decimals?.result !== 'number' || typeof round?.result !== 'object') return [];
        const [, answer, , updatedAt] = round.result;
        const usd = priceOfAnswer(pair, { answer, updatedAt }, decimals.result, now);
        return usd ? [[pair, usd] as const] : [];
      }),
    );
    return this.tokens.flatMap(({ id, pair }) => {
      const usd = pair === undefined ? undefined : prices.get(pair);
      return usd ? [{ asset: id, usd, source: this.name }] : [];
    });
  }

  private feeds(): { pair: string; address: Address }[] {
    const used = new Set(this.tokens.map(({ pair }) => pair));
    return Object.entries(this.chain.definition.contracts.priceFeeds ?? {})
      .filter(([pair]) => used.has(pair))
      .map(([pair, { address }]) => ({ pair, address }));
  }
}
