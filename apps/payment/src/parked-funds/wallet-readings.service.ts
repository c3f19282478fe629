import { Chains, gasPriceOf, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier, tokenIdentifier } from '@bascule/contracts';
import type { DecimalString } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import {
  ChainUnreadableError,
  readChain,
  TokenBalancesClient,
  withdrawalDataFee,
} from '@bascule/wallet-balances';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { ScanCursorRepository } from '../deposits/scan-cursor.repository.js';
import { withCost, withDustOf } from '../life-cycle/policy.js';
import type { PolicyOn } from '../life-cycle/policy.js';
import type { WalletReading } from '../life-cycle/wallet-readings.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import type { TokenFacts } from '../projections/asset-directory.repository.js';
import { withdrawalCostUsd } from '../costs/withdrawal-cost.js';

/** Deadline of all reads from one chain. */
const CHAIN_TIMEOUT_MS = 5_000;

/** A chain and its tokens; without a final block it cannot be read. */
interface ReadableChain {
  chain: Chain;
  finalBlock: bigint | undefined;
  /** The native currency first. */
  tokens: readonly TokenFacts[];
}

interface ChainAnswer {
  /** Money below this value is not worth a withdrawal. */
  dustUsd: DecimalString;
  readings: WalletReading[];
}

/** Chains with their tokens, as of before the payments are read. */
export type ReadPlan = readonly ReadableChain[];

export interface WalletReadings {
  /** By wallet, in the given order. */
  wallets: WalletReading[][];
  unreadChains: string[];
  policyOn: PolicyOn;
}

/** Reads wallets on every chain, after the newest block that its scanner has recorded as final. */
@Injectable()
export class WalletReadingsService {
  constructor(
    private readonly chains: Chains,
    private readonly cursors: ScanCursorRepository,
    private readonly directory: AssetDirectoryRepository,
    private readonly balances: TokenBalancesClient,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** Must precede the payments' reading, so that their facts are never older than the blocks. */
  async plan(): Promise<ReadPlan> {
    const finalBlocks = await this.cursors.finalBlocks();
    return Promise.all(
      this.chains.all().map(async (chain) => ({
        chain,
        finalBlock: finalBlocks.get(chain.name),
        tokens: nativeFirst(chain, await this.directory.listedOn(chain.name)),
      })),
    );
  }

  async read(plan: ReadPlan, wallets: readonly Address[]): Promise<WalletReadings> {
    const answers = wallets.length === 0 ? [] : await this.askAll(plan, wallets);
    const answered = answers.flatMap(({ answer }) => answer ?? []);
    const dustUsd = new Map(
      answers.flatMap(({ name, answer }) => (answer ? [[name, answer.dustUsd] as const] : [])),
    );
    return {
      wallets: wallets.map((_, index) => answered.flatMap(({ readings }) => readings[index] ?? [])),
      unreadChains: answers.flatMap(({ name, answer }) => (answer ? [] : [name])),
      policyOn: withDustOf(this.config.policy, dustUsd),
    };
  }

  private askAll(plan: ReadPlan, wallets: readonly Address[]) {
    return Promise.all(
      plan.map(async (readable) => ({
        name: readable.chain.name,
        answer: await this.ask(readable, wallets),
      })),
    );
  }

  /** Null where the chain could not be read. */
  private async ask(
    { chain, finalBlock, tokens }: ReadableChain,
    wallets: readonly Address[],
  ): Promise<ChainAnswer | null> {
    if (finalBlock === undefined) return null;
    try {
      const queries = wallets.flatMap((owner) =>
        tokens.map(({ token }) => ({ owner, token: parseTokenIdentifier(token).address })),
      );
      const [amounts, gasPrice, dataFee] = await Promise.all([
        this.balances.readFinal(chain, queries, CHAIN_TIMEOUT_MS, finalBlock),
        readChain(chain.name, CHAIN_TIMEOUT_MS, gasPriceOf(chain)),
        readChain(chain.name, CHAIN_TIMEOUT_MS, withdrawalDataFee(chain)),
      ]);
      const readings = wallets.map((_, index) => {
        const ofWallet = amounts.slice(index * tokens.length, (index + 1) * tokens.length);
        return readingOf(chain.name, finalBlock, tokens, ofWallet);
      });
      this.warnOfUnread(chain.name, tokens, readings);
      return { readings, dustUsd: this.dustUsd({ gasPrice, dataFee }, tokens) };
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      this.context.logger.warn({ err: error, chain: chain.name }, 'could not read wallets');
      return null;
    }
  }

  /** No wallet counts as empty while a listed token cannot be read: an operator should hide that token. */
  private warnOfUnread(
    chain: string,
    listed: readonly TokenFacts[],
    readings: readonly WalletReading[],
  ): void {
    const unread = listed
      .map(({ token }) => token)
      .filter((token) => readings.some(({ balances }) => !balances.has(token)));
    if (unread.length === 0) return;
    this.context.logger.warn({ chain, tokens: unread }, 'balances of tokens could not be read');
  }

  /** Cost of a withdrawal, where it is above the configured value. */
  private dustUsd(
    { gasPrice, dataFee }: { gasPrice: bigint; dataFee: bigint },
    [native]: readonly TokenFacts[],
  ): DecimalString {
    const { usdPrice = null } = native ?? {};
    const cost = usdPrice === null ? null : withdrawalCostUsd(gasPrice, usdPrice, dataFee);
    return withCost(this.config.policy, cost).dustUsd;
  }
}

/** Lists the native currency also where the catalogue does not: its read cannot fail by a token's fault. */
function nativeFirst(chain: Chain, listed: readonly TokenFacts[]): TokenFacts[] {
  const token = tokenIdentifier(chain.name, ZERO_ADDRESS);
  const { decimals } = chain.definition.nativeCurrency;
  const native = listed.find((facts) => facts.token === token);
  return [
    native ?? { token, decimals, usdPrice: null },
    ...listed.filter((facts) => facts.token !== token),
  ];
}

/** @throws ChainUnreadableError where the native currency has no balance: part of the read failed. */
function readingOf(
  chain: string,
  blockNumber: bigint,
  tokens: readonly TokenFacts[],
  amounts: readonly (bigint | null)[],
): WalletReading {
  if (amounts[0] == null) throw new ChainUnreadableError(chain);
  const balances = tokens.flatMap((facts, index) => {
    const amount = amounts[index];
    return amount == null ? [] : [[facts.token, { ...facts, amount }] as const];
  });
  return {
    chain,
    blockNumber,
    balances: new Map(balances),
    isPartial: balances.length < tokens.length,
  };
}
