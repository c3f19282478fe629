import { testimonyOf } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { PAYMENT_STATUS_FACTS, tokenIdentifier } from '@bascule/contracts';
import { oneTimeWalletAbi, parseDeclaration } from '@bascule/solidity';
import type { Leg } from '@bascule/solidity';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import type { ProjectedPayment } from '../../persistence/projected-payment.entity.js';
import { WithdrawalSettings } from '../../settings/withdrawal-settings.js';
import { FillsClient } from '../escrow/fills.client.js';
import type { UnfinishedLeg } from './revokes-executor.js';

/** Reads whether the payment's leg on a chain is still to be executed. */
@Injectable()
export class UnfinishedLegClient {
  constructor(
    private readonly fills: FillsClient,
    private readonly settings: WithdrawalSettings,
  ) {}

  /**
   * Returns null also where the payment's status decides alone.
   * @throws ChainUnreadableError
   */
  async find(chain: Chain, payment: ProjectedPayment): Promise<UnfinishedLeg | null> {
    if (PAYMENT_STATUS_FACTS[payment.status].revokesExecutor !== 'when_leg_is_short') return null;
    const { legs } = parseDeclaration(payment.declaration);
    const index = legs.findIndex(({ chainId }) => chainId === BigInt(chain.chainId));
    const leg = legs[index];
    if (leg === undefined) return null;
    const wallet = payment.walletAddress as Address;
    // Only a leg that is unexecuted by two nodes can end the payment: its withdrawal blames the owner.
    const unexecuted = testimonyOf(chain, async (node) => !(await isExecuted(node, wallet)));
    const testimony = await readChain(chain.name, this.settings.balanceTimeoutMs, unexecuted);
    if (testimony !== 'witnessed') return null;
    const inputToken = tokenIdentifier(chain.name, leg.inputToken);
    if (index > 0) {
      return { inputToken, required: await this.delivered(chain, payment, index, leg) };
    }
    const isDeposit = payment.depositToken === inputToken;
    return {
      inputToken,
      required: isDeposit ? payment.requiredDeposit : leg.maxInput,
    };
  }

  /**
   * Amount that the bridge has delivered for the leg. Before the delivery the leg needs nothing of the current balance:
   * its money is still in flight.
   */
  private async delivered(
    chain: Chain,
    { intentOrders }: ProjectedPayment,
    index: number,
    { maxInput }: Leg,
  ): Promise<bigint> {
    const order = intentOrders.findLast(({ leg_index: leg }) => leg === index - 1);
    if (order === undefined) return 0n;
    if (order.filled_amount !== undefined) return BigInt(order.filled_amount);
    const { escrow, order_id: id } = order;
    // Filled by two nodes, but the amount is not reported yet; otherwise the balance blames nobody.
    const isFilled = this.fills.isFilled(chain, escrow as Address, id as Hex);
    return (await isFilled.catch(() => false)) ? maxInput : 0n;
  }
}

async function isExecuted(node: EndpointClient, wallet: Address): Promise<boolean> {
  const code = await node.getCode({ address: wallet });
  if (code === undefined) return false;
  return node.readContract({
    address: wallet,
    abi: oneTimeWalletAbi,
    functionName: 'legExecuted',
  });
}
