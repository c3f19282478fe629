import type { ChainContracts, ChainView } from '@bascule/chain';
import type { Call } from '@bascule/solidity';
import { zeroAddress, type Address } from 'viem';
import { bestOutputOf, leastInputOf } from './best-quote.js';
import { isSameAsset } from './erc20-of.js';
import { candidatePaths, convertiblePairs, type PathQuote, type PoolPath } from './pool-paths.js';
import type {
  ConversionRequest,
  ConvertedTokens,
  ExactOutputQuote,
  ExactOutputRequest,
  TokenPair,
  Venue,
  VenueQuote,
} from './venue.js';

/** Paths of a conversion of which one amount is given. */
export interface PathsQuestion<P> {
  paths: readonly PoolPath<P>[];
  tokens: ConvertedTokens;
  given: 'input' | 'output';
  amount: bigint;
}

/** Swap of a quoted path. */
export interface PoolSwap<D, P> {
  request: ConversionRequest;
  path: PoolPath<P>;
  deployment: D;
  converter: Address;
  minOutput: bigint;
}

/** Contracts of a protocol on one chain, with the tokens to search paths through beside native currency. */
interface PoolDeployment {
  intermediateTokens: readonly Address[];
}

/** Differences between protocols that convert in pools of two tokens. */
export interface PoolProtocol<D extends PoolDeployment, P> {
  readonly name: string;
  /** Undefined on a chain without it. */
  deploymentIn(contracts: ChainContracts): D | undefined;
  /** Kinds of pools that two tokens may have. */
  poolsOf(deployment: D): readonly P[];
  /** Forms in which pools may know a token. */
  formsOf(contracts: ChainContracts, token: Address): readonly Address[];
  /** Lists the pairs that have a liquid pool. Throws when the chain cannot be read. */
  liquidPairs(
    chain: ChainView,
    deployment: D,
    tokens: readonly Address[],
  ): Promise<readonly TokenPair[]>;
  /** Quotes all paths in one request, without those that have no amount. Throws when the chain cannot be read. */
  quotePaths(
    chain: ChainView,
    deployment: D,
    question: PathsQuestion<P>,
  ): Promise<readonly PathQuote<P>[]>;
  /** Names a path: see {@link VenueQuote}. */
  routeOf(path: PoolPath<P>): string;
  swapCalls(swap: PoolSwap<D, P>): Call[];
}

/** Quotes all paths of one pool, or of two with an intermediate token, and takes the best. */
export class PoolVenue<D extends PoolDeployment, P> implements Venue {
  readonly name: string;

  constructor(private readonly protocol: PoolProtocol<D, P>) {
    this.name = protocol.name;
  }

  mayConvert(chain: Pick<ChainView, 'definition'>, tokens: ConvertedTokens): boolean {
    const { contracts } = chain.definition;
    return this.protocol.deploymentIn(contracts) !== undefined && !isSameAsset(contracts, tokens);
  }

  async pairs(chain: ChainView, tokens: readonly Address[]): Promise<TokenPair[]> {
    const { contracts } = chain.definition;
    const deployment = this.protocol.deploymentIn(contracts);
    if (!deployment) return [];
    return convertiblePairs({
      tokens,
      intermediateTokens: this.intermediateTokens(contracts, deployment),
      formsOf: (token) => this.protocol.formsOf(contracts, token),
      liquidPairs: (pooled) => this.protocol.liquidPairs(chain, deployment, pooled),
    });
  }

  async quoteExactInput(chain: ChainView, request: ConversionRequest): Promise<VenueQuote | null> {
    const { amountIn } = request;
    const deployment = this.protocol.deploymentIn(chain.definition.contracts);
    const quotes = await this.quotePaths(chain, request, 'input', amountIn);
    const best = bestOutputOf(
      quotes.map(({ path, amount, gas }) => ({ venue: this.name, amountOut: amount, gas, path })),
      request,
    );
    if (!deployment || !best) return null;
    const { path, ...output } = best;
    return {
      ...output,
      amountIn,
      route: this.protocol.routeOf(path),
      calls: (o) => this.protocol.swapCalls({ request, path, deployment, ...o }),
    };
  }

  async quoteExactOutput(
    chain: ChainView,
    request: ExactOutputRequest,
  ): Promise<ExactOutputQuote | null> {
    const quotes = await this.quotePaths(chain, request, 'output', request.amountOut);
    return leastInputOf(
      quotes.map(({ amount, gas }) => ({ venue: this.name, amountIn: amount, gas })),
      request,
    );
  }

  private async quotePaths(
    chain: ChainView,
    { inputToken, outputToken }: ConvertedTokens,
    given: PathsQuestion<P>['given'],
    amount: bigint,
  ): Promise<readonly PathQuote<P>[]> {
    const { contracts } = chain.definition;
    const deployment = this.protocol.deploymentIn(contracts);
    if (!deployment || amount <= 0n) return [];
    const paths = candidatePaths({
      inputs: this.protocol.formsOf(contracts, inputToken),
      outputs: this.protocol.formsOf(contracts, outputToken),
      intermediateTokens: this.intermediateTokens(contracts, deployment),
      pools: this.protocol.poolsOf(deployment),
    });
    if (paths.length === 0) return [];
    const tokens = { inputToken, outputToken };
    return this.protocol.quotePaths(chain, deployment, { paths, tokens, given, amount });
  }

  private intermediateTokens(contracts: ChainContracts, deployment: D): readonly Address[] {
    return [...this.protocol.formsOf(contracts, zeroAddress), ...deployment.intermediateTokens];
  }
}
