import { Chains, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import {
  invalidRequest,
  isFrozenFor,
  parseTokenIdentifier,
  tokenIdentifier,
} from '@bascule/contracts';
import type { BalanceResult, BalancesResponse, TokenIdentifier } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ServiceContext } from '@bascule/process';
import {
  ChainUnreadableError,
  TokenBalancesClient,
  WithdrawalFeesService,
} from '@bascule/wallet-balances';
import type { FeeToken } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { OwnerContractClient } from '../payments/owner-contract.client.js';
import { PaymentAccessService } from '../payments/payment-access.service.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { balanceResult, failedBalance, isShown, NO_ACCOUNT, WALLET } from './balance-results.js';
import type { FoundBalance, Place } from './balance-results.js';
import type { BalancesDto, CustomQueryDto } from './balances.dto.js';
import { OrderBalancesService } from './order-balances.service.js';
import { unknownQueries } from './unknown-queries.js';

/** Tokens of one address on one chain. */
interface BalanceLookup {
  chain: Chain;
  address: Address;
  tokens: FeeToken[];
  /** Payment of the caller whose wallet the address is. */
  payment: ProjectedPayment | null;
}

/** Lists balances of a payment's accounts and of custom addresses. */
@Injectable()
export class BalancesService {
  constructor(
    private readonly chains: Chains,
    private readonly payments: PaymentAccessService,
    private readonly projections: ProjectionsRepository,
    private readonly balances: TokenBalancesClient,
    private readonly orders: OrderBalancesService,
    private readonly owners: OwnerContractClient,
    private readonly fees: WithdrawalFeesService,
    private readonly settings: WithdrawalSettings,
    private readonly context: ServiceContext,
  ) {}

  async list(caller: Caller, request: BalancesDto): Promise<BalancesResponse> {
    // First, since it waits for a payment that was confirmed just now: its wallet may be queried, too.
    const payment =
      request.payment_id === undefined ? null : await this.payments.get(caller, request.payment_id);
    const custom = await this.customLookups(caller, request.custom_queries ?? []);
    const results = await Promise.all([
      ...(payment === null ? [] : [this.listWallet(payment), this.orders.list(payment)]),
      ...custom.map((lookup) => this.listLookup(lookup)),
    ]);
    return { balance_results: results.flat(), future_withdrawable_balances: [] };
  }

  private async listWallet(payment: ProjectedPayment): Promise<BalanceResult[]> {
    const lookups = await this.walletLookups(payment);
    const results = await Promise.all(
      lookups.map(async (lookup) => {
        try {
          const found = await this.find(lookup);
          const shown = found.filter((balance) => isShown(balance, payment.depositToken));
          return await this.resultsOf(lookup, shown);
        } catch (error) {
          const native = this.unreadable(lookup.chain, error);
          return [failedBalance(lookup.address, native, placeOf(payment, native))];
        }
      }),
    );
    return results.flat();
  }

  private async listLookup(lookup: BalanceLookup): Promise<BalanceResult[]> {
    try {
      return await this.resultsOf(lookup, await this.find(lookup));
    } catch (error) {
      this.unreadable(lookup.chain, error);
      const { address, payment } = lookup;
      return lookup.tokens.map(({ id }) => failedBalance(address, id, placeOf(payment, id)));
    }
  }

  /** Names the account where the owner can sign for it, which is asked of the chains only for found money. */
  private async resultsOf(
    { chain, payment }: BalanceLookup,
    found: readonly FoundBalance[],
  ): Promise<BalanceResult[]> {
    const isFunded = found.some(({ units }) => units !== null && units > 0n);
    const canSign = payment === null || !isFunded || (await this.owners.canSign(chain, payment));
    return found.map((balance) =>
      balanceResult(balance, canSign ? placeOf(payment, balance.token) : NO_ACCOUNT),
    );
  }

  private unreadable(chain: Chain, error: unknown): TokenIdentifier {
    if (!(error instanceof ChainUnreadableError)) throw error;
    this.context.logger.warn({ err: error, chain: chain.name }, 'could not read balances');
    return tokenIdentifier(chain.name, ZERO_ADDRESS);
  }

  /** @throws ChainUnreadableError */
  private async find({ chain, address, tokens }: BalanceLookup): Promise<FoundBalance[]> {
    const [units, fees] = await Promise.all([
      this.balances.read(
        chain,
        tokens.map(({ id }) => ({ owner: address, token: parseTokenIdentifier(id).address })),
        this.settings.balanceTimeoutMs,
      ),
      this.fees.quoteEach(chain, address, tokens),
    ]);
    return tokens.map(({ id, decimals }, index) => ({
      address,
      token: id,
      decimals,
      units: units[index] ?? null,
      fee: fees.get(id) ?? null,
    }));
  }

  /** Queries every token that the wallet may hold on every chain, so that money sent on a wrong chain is found too. */
  private async walletLookups(payment: ProjectedPayment): Promise<BalanceLookup[]> {
    const chains = this.chains.all();
    const names = chains.map(({ name }) => name);
    const assets = await this.projections.possibleTokens(payment, names);
    return chains.map((chain) => {
      const native = {
        id: tokenIdentifier(chain.name, ZERO_ADDRESS),
        decimals: chain.definition.nativeCurrency.decimals,
      };
      const others = assets.filter((asset) => asset.chain === chain.name && asset.id !== native.id);
      const address = payment.walletAddress as Address;
      return { chain, address, tokens: [native, ...others], payment };
    });
  }

  private async customLookups(
    { orgId, mode }: Caller,
    queries: readonly CustomQueryDto[],
  ): Promise<BalanceLookup[]> {
    if (queries.length === 0) return [];
    const known = await this.projections.tokens(queries.map(({ token }) => token));
    const problems = unknownQueries(queries, {
      isToken: (token) => known.some(({ id }) => id === token),
      isTestChain: (name) => this.chains.find(name)?.definition.isTestnet,
      mode,
    });
    if (problems.length > 0) throw invalidRequest(...problems);
    const payments = await this.projections.paymentsOfWallets(
      orgId,
      queries.map(({ address }) => address),
    );
    const byWallet = new Map(
      payments.map((payment) => [payment.walletAddress.toLowerCase(), payment] as const),
    );
    return queries.map(({ address, token }) => ({
      payment: byWallet.get(address.toLowerCase()) ?? null,
      chain: this.chains.get(parseTokenIdentifier(token).chain),
      address: address.toLowerCase() as Address,
      tokens: known.filter(({ id }) => id === token),
    }));
  }
}

/** Account from which the service withdraws a token: none of strangers' addresses, frozen payments and frozen tokens. */
const placeOf = (payment: ProjectedPayment | null, token: TokenIdentifier): Place =>
  payment === null || isFrozenFor(payment, [token]) ? NO_ACCOUNT : WALLET;
