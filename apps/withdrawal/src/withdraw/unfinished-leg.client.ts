import type { Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { oneTimeWalletAbi, parseDeclaration } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { within } from '../chain/within.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { WithdrawalSettings } from '../withdrawal-settings.config.js';
import type { UnfinishedLeg } from './accept-blame.js';

/** What the chain says about the payment's leg there. */
@Injectable()
export class UnfinishedLegClient {
  constructor(private readonly settings: WithdrawalSettings) {}

  /** @throws ChainUnreadableError */
  async on(chain: Chain, payment: ProjectedPayment): Promise<UnfinishedLeg | null> {
    const leg = parseDeclaration(payment.declaration).legs.find(
      ({ chainId }) => chainId === BigInt(chain.chainId),
    );
    if (leg === undefined) return null;
    const wallet = payment.walletAddress as Address;
    if (await within(chain.name, this.settings.balanceTimeoutMs, isExecuted(chain, wallet))) {
      return null;
    }
    const inputToken = tokenIdentifier(chain.name, leg.inputToken);
    const isDeposit = payment.depositToken === inputToken;
    return {
      inputToken,
      required: isDeposit ? payment.requiredDeposit : leg.maxInput,
    };
  }
}

async function isExecuted(chain: Chain, wallet: Address): Promise<boolean> {
  const code = await chain.client.getCode({ address: wallet });
  if (code === undefined) return false;
  return chain.client.readContract({
    address: wallet,
    abi: oneTimeWalletAbi,
    functionName: 'legExecuted',
  });
}
