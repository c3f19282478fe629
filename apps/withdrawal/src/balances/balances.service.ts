import { Chains, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidRequest, parseTokenIdentifier, tokenIdentifier } from '@bascule/contracts';
import type {
  BalanceResult,
  BalancesResponse,
  TokenIdentifier,
  ValidationError,
} from '@bascule/contracts';
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
import { PaymentAccessService } from '../payments/payment-access.service.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { balanceResult, failedBalance, isShown, NO_ACCOUNT, WALLET } from './balance-results.js';
import type { FoundBalance, Place } from './balance-results.js';
import type { BalancesDto, CustomQueryDto } from './balances.dto.js';
import { OrderBalancesService } from './order-balances.service.js';

/** Tokens of one address on one chain. */
interface BalanceLookup {
  chain: Chain;
  address: Address;
  tokens: FeeToken[];
  place: Place;
}

/** Accounts from which the service withdraws: none of a frozen payment. */
const placeOf = ({ status }: ProjectedPayment): Place =>
  status === 'TAINTED' ? NO_ACCOUNT : WALLET;

/** Lists balances of a payment's accounts and of custom addresses. */
@Injectable()
export class BalancesService {
  constructor(
    private readonly chains: Chains,
    private readonly payments: PaymentAccessService,
    private readonly projections: ProjectionsRepository,
    private readonly balances: TokenBalancesClient,
    private readonly orders: OrderBalancesService,
    private readonly fees: WithdrawalFeesService,
    private readonly settings: WithdrawalSettings,
    private readonly context: ServiceContext,
  ) {}

  async list(caller: Caller, request: BalancesDto): Promise<BalancesResponse> {
    const custom = await this.customLookups(caller, request.custom_queries ?? []);
    const payment =
      request.payment_id === undefined ? null : await this.payments.get(caller, request.payment_id);
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
          return found
            .filter((balance) => isShown(balance, payment.depositToken))
            .map((balance) => balanceResult(balance, lookup.place));
        } catch (error) {
          const native = this.unreadable(lookup.chain, error);
          return [failedBalance(lookup.address, native, lookup.place)];
        }
      }),
    );
    return results.flat();
  }

  private async listLookup(lookup: BalanceLookup): Promise<BalanceResult[]> {
    try {
      return (await this.find(lookup)).map((balance) => balanceResult(balance, lookup.place));
    } catch (error) {
      this.unreadable(lookup.chain, error);
      return lookup.tokens.map(({ id }) => failedBalance(lookup.address, id, lookup.place));
    }
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

  /** Queries every listed token on every chain, so that money sent on a wrong chain is found too. */
  private async walletLookups(payment: ProjectedPayment): Promise<BalanceLookup[]> {
    const chains = this.chains.all();
    const assets = await this.projections.listedTokens(chains.map(({ name }) => name));
    return chains.map((chain) => {
      const native = {
        id: tokenIdentifier(chain.name, ZERO_ADDRESS),
        decimals: chain.definition.nativeCurrency.decimals,
      };
      const others = assets.filter((asset) => asset.chain === chain.name && asset.id !== native.id);
      const address = payment.walletAddress as Address;
      return { chain, address, tokens: [native, ...others], place: placeOf(payment) };
    });
  }

  private async customLookups(
    { orgId }: Caller,
    queries: readonly CustomQueryDto[],
  ): Promise<BalanceLookup[]> {
    if (queries.length === 0) return [];
    const known = await this.projections.tokens(queries.map(({ token }) => token));
    const isKnown = (token: TokenIdentifier) =>
      known.some(({ id }) => id === token) && this.chains.find(parseTokenIdentifier(token).chain);
    const problems = queries.flatMap(({ token }, index): ValidationError[] => {
      const path = ['custom_queries', index, 'token'];
      return isKnown(token) ? [] : [{ code: 'custom', path, message: 'Unknown token.' }];
    });
    if (problems.length > 0) throw invalidRequest(...problems);
    const payments = await this.projections.paymentsOfWallets(
      orgId,
      queries.map(({ address }) => address),
    );
    const places = new Map(
      payments.map((payment) => [payment.walletAddress.toLowerCase(), placeOf(payment)] as const),
    );
    return queries.map(({ address, token }) => ({
      place: places.get(address.toLowerCase()) ?? NO_ACCOUNT,
      chain: this.chains.get(parseTokenIdentifier(token).chain),
      address: address.toLowerCase() as Address,
      tokens: known.filter(({ id }) => id === token),
    }));
  }
}
