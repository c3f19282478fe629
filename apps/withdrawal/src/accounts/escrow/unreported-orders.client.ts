import type { Chain } from '@bascule/chain';
import { Chains } from '@bascule/chain';
import { intentEscrowAbi, orderId, parseDeclaration } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { getAbiItem, isAddressEqual } from 'viem';
import type { Address } from 'viem';
import type { ProjectedPayment } from '../../persistence/projected-payment.entity.js';
import { WithdrawalSettings } from '../../settings/withdrawal-settings.js';

const OPEN = getAbiItem({ abi: intentEscrowAbi, name: 'Open' });
/** Smallest log range of hosted nodes; orders are reported long before so many blocks have passed. */
const NEWEST_BLOCKS = 2_000n;

/** Leg whose order, if opened, has not been reported by `payment` yet. */
export interface UnreportedLeg {
  chain: Chain;
  escrow: Address;
  wallet: Address;
  token: Address;
}

/** Finds orders that hold money of the wallet but are not final, and so not reported yet. */
@Injectable()
export class UnreportedOrdersClient {
  constructor(
    private readonly chains: Chains,
    private readonly settings: WithdrawalSettings,
  ) {}

  unreportedLegs({ declaration, intentOrders, walletAddress }: ProjectedPayment): UnreportedLeg[] {
    return parseDeclaration(declaration).legs.flatMap((leg, index): UnreportedLeg[] => {
      const chain = this.chains.byChainId(leg.chainId);
      const escrow = chain?.definition.contracts.intentEscrow;
      if (!chain || !escrow || !isAddressEqual(leg.bridgeAdapter, escrow)) return [];
      if (intentOrders.some(({ leg_index: reported }) => reported === index)) return [];
      return [{ chain, escrow, wallet: walletAddress as Address, token: leg.outputToken }];
    });
  }

  /** @throws ChainUnreadableError */
  find({ chain, escrow, wallet }: UnreportedLeg): Promise<Order | null> {
    const search = async () => {
      const head = await chain.anyNode.client.getBlockNumber({ cacheTime: 0 });
      const logs = await chain.anyNode.client.getLogs({
        address: escrow,
        event: OPEN,
        args: { wallet },
        fromBlock: head > NEWEST_BLOCKS ? head - NEWEST_BLOCKS : 0n,
        toBlock: head,
        strict: true,
      });
      const genuine = logs.findLast(({ args }) => orderId(args.order, escrow) === args.orderId);
      return genuine?.args.order ?? null;
    };
    return readChain(chain.name, this.settings.balanceTimeoutMs, search());
  }
}
