import { Chains, finalBlock } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidRequest, unavailable } from '@bascule/contracts';
import {
  declarationHash,
  parseDeclaration,
  serviceAuthorizationHash,
  serviceAuthorizationPayload,
  withdrawalCall,
} from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import { TokenBalancesClient } from '../../balances/token-balances.client.js';
import { within } from '../../chain/within.client.js';
import { cappedFee } from '../../fees/withdrawal-fee.js';
import { WithdrawalFees } from '../../fees/withdrawal-fees.service.js';
import type { WithdrawalRecord } from '../../life-cycle/withdrawal-record.js';
import { RetryLookup } from '../../payments/retry-lookup.service.js';
import { amountIssue } from '../../withdraw/requested-tokens.js';
import type { RequestedToken } from '../../withdraw/requested-tokens.js';
import { WithdrawalSettings } from '../../withdrawal-settings.config.js';
import type {
  AskedWithdrawal,
  Authorisation,
  Call,
  Observation,
  WithdrawalAccount,
} from '../withdrawal-account.js';
import { acceptsBlame } from './accept-blame.js';
import { authorizationOf, nonceOf } from './authorization.js';
import { UnfinishedLegClient } from './unfinished-leg.client.js';
import { WalletLandingClient } from './wallet-landing.client.js';
import { describeWithdrawal, withdrawalActions } from './withdrawal-actions.js';
import type { Payout } from './withdrawal-actions.js';

interface HeldPayout extends Payout {
  id: RequestedToken['id'];
  balance: bigint;
}

/** `SPW`: the payment's one-time wallet, on any chain. */
@Injectable()
export class WalletAccount implements WithdrawalAccount {
  readonly signing = { type: 'eip712', signature_type: 'EIP712' } as const;

  constructor(
    private readonly chains: Chains,
    private readonly retries: RetryLookup,
    private readonly balances: TokenBalancesClient,
    private readonly fees: WithdrawalFees,
    private readonly legs: UnfinishedLegClient,
    private readonly landings: WalletLandingClient,
    private readonly settings: WithdrawalSettings,
  ) {}

  async authorise(asked: AskedWithdrawal): Promise<Authorisation> {
    const { payment, chain, recipient, nonce } = asked;
    const [payouts, leg] = await Promise.all([this.payouts(asked), this.legs.on(chain, payment)]);
    const acceptBlame = acceptsBlame(
      payment.status,
      leg,
      payouts.map((payout) => ({ ...payout, token: payout.id })),
    );
    const text = serviceAuthorizationPayload({
      description: describeWithdrawal(payouts, {
        paymentId: payment.id,
        network: chain.definition.network,
        recipient,
      }),
      actions: withdrawalActions(payouts, recipient, this.settings.feeReceiver),
      nonce,
      signatory_declaration_hash: declarationHash(parseDeclaration(payment.declaration)),
      chain_id: BigInt(chain.chainId),
      accept_blame: acceptBlame,
    });
    return { text, acceptBlame, refund: null };
  }

  isNamedBy(record: WithdrawalRecord, payload: string): boolean {
    return record.nonce.toString() === nonceOf(payload);
  }

  digest(record: WithdrawalRecord): Hex {
    return serviceAuthorizationHash(authorizationOf(record.authorization));
  }

  async submission(record: WithdrawalRecord, signature: Hex): Promise<Call> {
    const chain = this.chains.get(record.chain);
    const wallet = record.walletAddress as Address;
    return withdrawalCall(
      parseDeclaration(record.declaration),
      authorizationOf(record.authorization),
      signature,
      {
        wallet,
        multicall3: chain.definition.contracts.multicall3,
        isDeployed: await within(
          chain.name,
          this.settings.balanceTimeoutMs,
          isDeployedForGood(chain, wallet),
        ),
      },
    );
  }

  observe(record: WithdrawalRecord): Promise<Observation> {
    return this.landings.of(this.chains.get(record.chain), record);
  }

  /** @throws ServiceError with every amount that the wallet does not hold or that its fee would eat */
  private async payouts({
    chain,
    payment,
    tokens,
    recipient,
  }: AskedWithdrawal): Promise<HeldPayout[]> {
    const owner = payment.walletAddress as Address;
    const [balances, fees, retry] = await Promise.all([
      this.balances.read(
        chain,
        tokens.map(({ address }) => ({ owner, token: address })),
        this.settings.balanceTimeoutMs,
      ),
      this.fees.together(chain, owner, tokens),
      this.retries.at(recipient, payment),
    ]);
    const payouts = tokens.map((token, index): HeldPayout => {
      const fee = fees.get(token.id);
      const balance = balances[index];
      if (fee === undefined || balance === undefined || balance === null) {
        throw unavailable(`${token.symbol} cannot be withdrawn at the moment; try again later.`);
      }
      const isNeeded = retry?.depositToken === token.id;
      const { amount } = token;
      const paid = isNeeded ? cappedFee(fee, amount, retry.requiredDeposit) : fee;
      return { ...token, balance, fee: paid };
    });
    const issues = payouts.flatMap((payout) => {
      const issue = amountIssue(payout, payout.balance, payout.fee);
      return issue === null ? [] : [issue];
    });
    if (issues.length > 0) throw invalidRequest(...issues);
    return payouts;
  }
}

async function isDeployedForGood(chain: Chain, wallet: Address): Promise<boolean> {
  const { node, number: blockNumber } = await finalBlock(chain);
  return (await node.getCode({ address: wallet, blockNumber })) !== undefined;
}
