import { Chains } from '@bascule/chain';
import type { TokenIdentifier } from '@bascule/contracts';
import { ServiceContext, withTimeout } from '@bascule/process';
import type { Venue } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { RememberedAnswers, type Answers, type Speaking } from '../remembered-answers.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../../config/quote-config.js';
import { RouteFailure } from '../../routes/route-failure.js';
import { AssetBookService } from '../../catalogue/asset-book.service.js';
import type { KnownAssets } from '../../routes/known-asset.js';
import {
  addressesOf,
  conversionsOf,
  tokensByChain,
  type ConversionAnswer,
  type TokensByChain,
} from './conversions-of.js';
import { GasPricesService } from './gas-prices.service.js';
import { VENUES } from './venue-quoter.service.js';

/** Mostly it is the very same list. */
const areSame = (a: readonly TokenIdentifier[], b: readonly TokenIdentifier[]): boolean =>
  a === b || a.join() === b.join();

const NO_TOKENS: readonly TokenIdentifier[] = [];

/** Which tokens the venues of each chain convert into which: asked again now and then, and when other tokens are listed. */
@Injectable()
export class ConversionCoverageService {
  private readonly remembered: RememberedAnswers<ConversionAnswer>;
  private assets: KnownAssets | undefined;
  private tokens: TokensByChain = new Map();

  constructor(
    @Inject(VENUES) private readonly venues: readonly Venue[],
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
    private readonly chains: Chains,
    private readonly gasPrices: GasPricesService,
    private readonly book: AssetBookService,
    private readonly context: ServiceContext,
  ) {
    this.remembered = new RememberedAnswers({
      ask: (chain) => this.ask(chain),
      toFailure: (chain, cause) => this.toFailure(chain, cause),
      lifeMs: config.conversionsTtlMs,
      isOutdated: (chain, { tokens }) => !areSame(tokens, this.tokensOn(chain)),
    });
  }

  /** All that is known, after those of `wanted` whose answers are too old have been asked again. */
  async current(wanted: readonly string[]): Promise<Answers<ConversionAnswer>> {
    await this.follow();
    return this.remembered.current(wanted.filter((name) => this.chains.find(name)));
  }

  /** Of those that answer, waiting only for chains that answered when last asked. */
  async atHand(): Promise<Speaking<ConversionAnswer>> {
    await this.follow();
    return this.remembered.atHand(this.chains.all().map(({ name }) => name));
  }

  /** Something else that was asked of the chain had no answer. */
  doubt(chain: string): void {
    this.remembered.doubt(chain);
  }

  private async follow(): Promise<void> {
    const { assets } = await this.book.current();
    if (this.assets === assets) return;
    this.assets = assets;
    this.tokens = tokensByChain(assets, this.tokens);
  }

  private readonly tokensOn = (chain: string): readonly TokenIdentifier[] =>
    this.tokens.get(chain) ?? NO_TOKENS;

  private async ask(name: string): Promise<ConversionAnswer> {
    const chain = this.chains.get(name);
    const tokens = this.tokensOn(name);
    // No quote does without the gas price, and there are chains without a venue that would have to be asked.
    const [pairs] = await withTimeout(this.config.chainTimeoutMs, () =>
      Promise.all([
        Promise.all(this.venues.map((venue) => venue.pairs(chain, addressesOf(tokens)))),
        this.gasPrices.of(chain),
      ]),
    );
    return { chain: name, tokens, conversions: conversionsOf(name, pairs.flat()) };
  }

  private toFailure(chain: string, cause: unknown): RouteFailure {
    if (cause instanceof RouteFailure) return cause;
    this.context.logger.warn({ err: cause, chain }, 'conversions unknown');
    const message = `${chain} cannot be asked what it converts.`;
    return new RouteFailure([chain], [{ kind: 'other', message }], { cause });
  }
}
