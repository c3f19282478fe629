import { Chains, ZERO_ADDRESS, finalBlock, testimonyOf } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidRequest, parseTokenIdentifier, unavailable } from '@bascule/contracts';
import type { Issue } from '@bascule/contracts';
import {
  declarationHash,
  oneTimeWalletAbi,
  parseDeclaration,
  serviceAuthorizationHash,
  serviceAuthorizationPayload,
  withdrawalCall,
} from '@bascule/solidity';
import {
  TokenBalancesClient,
  WithdrawalFeesService,
  readChain,
  withdrawalBatchGas,
} from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import type { Address, Hex } from 'viem';
import { retryFee } from '../../fees/retry-fee.js';
import type { WithdrawalRecord } from '../../life-cycle/withdrawal-record.js';
import type { SignedPart } from '../../life-cycle/signed-part.js';
import { RetryLookupService } from '../../payments/retry-lookup.service.js';
import { amountIssue } from '../../requests/requested-tokens.js';
import type { RequestedToken } from '../../requests/requested-tokens.js';
import { WithdrawalSettings } from '../../settings/withdrawal-settings.js';
import { retrysFeeIssue, unpricedFeeIssue } from '../reduced-fee-issues.js';
import type {
  RequestedWithdrawal,
  UnsignedAuthorization,
  Submission,
  Observation,
  OutcomeProbe,
  WithdrawalAccount,
} from '../withdrawal-account.js';
import { revokesExecutor } from './revokes-executor.js';
import type { UnfinishedLeg } from './revokes-executor.js';
import { authorizationOf, nonceOf } from './authorization.js';
import { UnfinishedLegClient } from './unfinished-leg.client.js';
import { WalletOutcomeClient } from './wallet-outcome.client.js';
import { describeWithdrawal, withdrawalActions } from './withdrawal-actions.js';
import type { Payout } from './withdrawal-actions.js';

const nonceUsed = { abi: oneTimeWalletAbi, functionName: 'nonceUsed' } as const;

interface HeldPayout extends Payout {
  id: RequestedToken['id'];
  balance: bigint;
  reducedFeeIssue: Issue | null;
}

interface Payouts extends Pick<UnsignedAuthorization, 'reducedFeeIssue' | 'repaidWei'> {
  payouts: HeldPayout[];
}

/** Withdraws from the payment's one-time wallet, on any chain (`SPW`). */
@Injectable()
export class WalletAccountService implements WithdrawalAccount {
  readonly signing = { type: 'eip712', signature_type: 'EIP712' } as const;

  constructor(
    private readonly chains: Chains,
    private readonly retries: RetryLookupService,
    private readonly balances: TokenBalancesClient,
    private readonly fees: WithdrawalFeesService,
    private readonly legs: UnfinishedLegClient,
    private readonly outcomes: WalletOutcomeClient,
    private readonly settings: WithdrawalSettings,
  ) {}

  async authorize(request: RequestedWithdrawal): Promise<UnsignedAuthorization> {
    const { payment, chain, recipient, nonce } = request;
    const leg = await this.legs.find(chain, payment);
    const { payouts, reducedFeeIssue, repaidWei } = await this.payouts(request, leg);
    const acceptBlame = revokesExecutor(
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
    return { text, acceptBlame, refund: null, reducedFeeIssue, repaidWei };
  }

  signedPartOf(payload: string): SignedPart {
    return { nonce: nonceOf(payload) };
  }

  digest(record: WithdrawalRecord): Hex {
    return serviceAuthorizationHash(authorizationOf(record.authorization));
  }

  async submission(record: WithdrawalRecord, signature: Hex): Promise<Submission> {
    const chain = this.chains.get(record.chain);
    const wallet = record.walletAddress as Address;
    const isDeployed = await this.isDeployedFinally(chain, wallet);
    const call = withdrawalCall(
      parseDeclaration(record.declaration),
      authorizationOf(record.authorization),
      signature,
      { wallet, multicall3: chain.definition.contracts.multicall3, isDeployed },
    );
    const areNative = record.tokenAmounts.map(
      ({ token }) => parseTokenIdentifier(token).address === ZERO_ADDRESS,
    );
    return { ...call, paidGas: withdrawalBatchGas(areNative, { isDeployed }) };
  }

  probe({ walletAddress, nonce }: WithdrawalRecord): OutcomeProbe {
    return {
      to: walletAddress as Address,
      data: encodeFunctionData({ ...nonceUsed, args: [nonce] }),
      // Without code there is no result: nothing was withdrawn from a wallet that does not exist.
      isUnused: (data) => data === '0x' || !decodeFunctionResult({ ...nonceUsed, data }),
    };
  }

  observe(record: WithdrawalRecord, isDoubted: boolean): Promise<Observation> {
    return this.outcomes.observe(this.chains.get(record.chain), record, isDoubted);
  }

  /**
   * Two of several nodes must say so in time: a call of a wallet that does not exist does nothing. The batch that deploys
   * it, too, is right in both cases.
   */
  private async isDeployedFinally(chain: Chain, address: Address): Promise<boolean> {
    const witnessed = async () => {
      const { number: blockNumber } = await finalBlock(chain, { isLoneEnough: true });
      const testimony = await testimonyOf(
        chain,
        async (node) => (await node.getCode({ address, blockNumber })) !== undefined,
      );
      return testimony === 'witnessed';
    };
    return readChain(chain.name, this.settings.balanceTimeoutMs, witnessed()).catch(() => false);
  }

  /** @throws ServiceError with every amount that exceeds the balance or does not cover its fee */
  private async payouts(
    { caller, chain, payment, tokens, recipient }: RequestedWithdrawal,
    leg: UnfinishedLeg | null,
  ): Promise<Payouts> {
    const owner = payment.walletAddress as Address;
    const [balances, { fees, isGasRepaid, repaidWei }, retry] = await Promise.all([
      this.balances.readCovering(
        chain,
        tokens.map(({ id, address: token, amount }) => {
          const kept = leg?.inputToken === id ? leg.required : 0n;
          return { owner, token, amount, kept };
        }),
        this.settings.balanceTimeoutMs,
      ),
      this.fees.quoteBatch(chain, owner, tokens),
      this.retries.find(caller, recipient, payment),
    ]);
    const payouts = tokens.map((token, index): HeldPayout => {
      const fee = fees.get(token.id);
      const balance = balances[index];
      if (fee === undefined || balance === undefined || balance === null) {
        throw unavailable(`Could not read balance or fee of ${token.symbol}. Try again later.`);
      }
      if (retry?.depositToken !== token.id) {
        return { ...token, balance, fee, reducedFeeIssue: null };
      }
      const needed = retry.requiredDeposit;
      const paid = retryFee(fee, token.amount, needed);
      const reducedFeeIssue = paid.isReduced
        ? retrysFeeIssue({ token, full: fee, needed, held: balance })
        : null;
      return { ...token, balance, fee: paid.fee, reducedFeeIssue };
    });
    const issues = payouts.flatMap((payout) => {
      const issue = amountIssue(payout, payout.balance, payout.fee);
      return issue === null ? [] : [issue];
    });
    if (issues.length > 0) throw invalidRequest(...issues);
    if (!isGasRepaid)
      return { payouts, repaidWei, reducedFeeIssue: unpricedFeeIssue(tokens, remedyOn(chain)) };
    const reduced = payouts.find(({ reducedFeeIssue }) => reducedFeeIssue !== null);
    return { payouts, repaidWei, reducedFeeIssue: reduced?.reducedFeeIssue ?? null };
  }
}

const remedyOn = ({ definition }: Chain): string =>
  `Withdraw together with a token whose withdrawal_fee is above 0, such as ` +
  `${definition.nativeCurrency.symbol}, or wait for a price.`;
