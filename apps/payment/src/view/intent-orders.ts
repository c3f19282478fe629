import type { IntentOrder } from '@bascule/contracts';
import { parseOrder, serializeOrder } from '@bascule/solidity';
import type { PaymentRecord } from '../life-cycle/payment-record.js';

/**
 * Transfers of the intent escrow as events carry them; the escrow is the contract in the leg's declaration.
 * @throws for a malformed order
 */
export const intentOrders = ({ legs, plan }: PaymentRecord): IntentOrder[] =>
  legs.flatMap(({ index, transfer: sent }): IntentOrder[] => {
    const escrow = plan.legs[index]?.bridge?.adapter;
    if (sent?.transfer.withdrawAccount !== 'INTENT' || escrow === undefined) return [];
    const { id, details, originChain, inputToken, amount } = sent.transfer;
    return [
      {
        leg_index: index,
        chain: originChain,
        escrow,
        order_id: id,
        order: serializeOrder(parseOrder(details)),
        token: inputToken,
        amount: amount.toString(),
        status: sent.status,
        ...(sent.filled === null ? {} : { filled_amount: sent.filled.amount.toString() }),
      },
    ];
  });
