import type { PriceRepository } from '@bascule/catalogue-projection';
import { gasPriceOf, mostNodesSay, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier, tokenIdentifier } from '@bascule/contracts';
import type { TokenIdentifier } from '@bascule/contracts';
import type { Address } from 'viem';
import { readChain } from './read-chain.client.js';
import { sharedFees } from './shared-fees.js';
import type { ChargedToken, RelayCost, SharedFees } from './shared-fees.js';
import { withdrawalDataFee } from './withdrawal-data-fee.js';
import { refundGas, withdrawalGas } from './withdrawal-gas.js';

export interface FeeToken {
  id: TokenIdentifier;
  decimals: number;
}

type GasOf = RelayCost['gasOf'];

interface Costs {
  relay: Omit<RelayCost, 'gasOf'>;
  charged: (token: FeeToken, amount: bigint) => ChargedToken<TokenIdentifier>;
}

/** Quotes withdrawal fees in smallest units of each token, from the chain's gas price and the newest prices. */
export class WithdrawalFeesService {
  constructor(
    private readonly prices: PriceRepository,
    /** Deadline of reads from one chain. */
    private readonly chainTimeoutMs: number,
  ) {}

  /**
   * Quotes each token as a withdrawal of its own.
   * @throws ChainUnreadableError
   */
  async quoteEach(
    chain: Chain,
    wallet: Address,
    tokens: readonly FeeToken[],
  ): Promise<Map<TokenIdentifier, bigint>> {
    const [gasOf, costs] = await Promise.all([
      this.walletGas(chain, wallet),
      this.costs(chain, tokens),
    ]);
    return feesOf(tokens, costs, gasOf);
  }

  /**
   * Quotes each token of several wallets as a withdrawal of its own, at one reading of gas price and prices.
   * @throws ChainUnreadableError
   */
  async quoteWallets(
    chain: Chain,
    wallets: readonly { isDeployed: boolean; tokens: readonly FeeToken[] }[],
  ): Promise<Map<TokenIdentifier, bigint>[]> {
    const tokens = new Map(wallets.flatMap((wallet) => wallet.tokens.map((it) => [it.id, it])));
    const { relay, charged } = await this.costs(chain, [...tokens.values()]);
    return wallets.map(({ isDeployed, tokens: held }) => {
      const gasOf: GasOf = ({ isNative }) => withdrawalGas({ isNative, isDeployed });
      return feesOf(held, { relay, charged }, gasOf);
    });
  }

  /**
   * Quotes the tokens of one transaction.
   * @throws ChainUnreadableError
   */
  async quoteBatch(
    chain: Chain,
    wallet: Address,
    tokens: readonly (FeeToken & { amount: bigint })[],
  ): Promise<SharedFees<TokenIdentifier>> {
    const [gasOf, { relay, charged }] = await Promise.all([
      this.walletGas(chain, wallet),
      this.costs(chain, tokens),
    ]);
    return sharedFees(
      tokens.map((token) => charged(token, token.amount)),
      { ...relay, gasOf },
    );
  }

  /**
   * Quotes the refund of an order.
   * @throws ChainUnreadableError
   */
  async quoteRefund(
    chain: Chain,
    token: FeeToken,
    o: { isAttested: boolean },
  ): Promise<Omit<SharedFees<TokenIdentifier>, 'fees'> & { fee: bigint }> {
    const { relay, charged } = await this.costs(chain, [token]);
    const gasOf = () => refundGas(o);
    const { fees, ...repaid } = sharedFees([charged(token, 0n)], { ...relay, gasOf });
    return { fee: fees.get(token.id) ?? 0n, ...repaid };
  }

  /** Takes the nodes' median, as for the gas price; of two that differ the wallet's deployment is charged. */
  private async walletGas(chain: Chain, address: Address): Promise<GasOf> {
    const deployed = mostNodesSay(
      chain,
      async (node) => (await node.getCode({ address })) !== undefined,
      false,
    );
    const isDeployed = await this.ask(chain, deployed);
    return ({ isNative }) => withdrawalGas({ isNative, isDeployed });
  }

  private async costs(chain: Chain, tokens: readonly FeeToken[]): Promise<Costs> {
    const nativeId = tokenIdentifier(chain.name, ZERO_ADDRESS);
    const [prices, gasPrice, dataFee] = await Promise.all([
      this.prices.newest([nativeId, ...tokens.map(({ id }) => id)]),
      this.ask(chain, gasPriceOf(chain)),
      this.ask(chain, withdrawalDataFee(chain)),
    ]);
    const { decimals } = chain.definition.nativeCurrency;
    return {
      relay: {
        gasPrice,
        dataFee,
        native: { decimals, usd: prices.get(nativeId) },
      },
      charged: (token, amount) => ({
        ...token,
        amount,
        isNative: parseTokenIdentifier(token.id).address === ZERO_ADDRESS,
        usd: prices.get(token.id),
      }),
    };
  }

  private ask<T>(chain: Chain, answer: Promise<T>): Promise<T> {
    return readChain(chain.name, this.chainTimeoutMs, answer);
  }
}

const feesOf = (
  tokens: readonly FeeToken[],
  { relay, charged }: Costs,
  gasOf: GasOf,
): Map<TokenIdentifier, bigint> =>
  new Map(
    tokens.flatMap((token) => [...sharedFees([charged(token, 0n)], { ...relay, gasOf }).fees]),
  );
