import { formatAmount } from '@bascule/amounts';
import { soldToken } from '../offers/sold-tokens.js';
import type { Order } from '../persistence/order.entity.js';

/** Serialises an order for the API and callbacks; token amounts are in whole units. */
export function orderBody(order: Order) {
  const decimals = soldToken(order.contract)?.decimals ?? 18;
  const amount = (units: bigint) => formatAmount(units, decimals);
  return {
    id: order.id,
    partner_order_id: order.partnerOrderId,
    status: order.status,
    fiat: order.fiat,
    fiat_amount: order.fiatAmount,
    payment_method: order.paymentMethod,
    network: order.network,
    contract: order.contract,
    wallet_address: order.walletAddress,
    crypto_amount: amount(order.cryptoAmount),
    fees: { total: order.feeTotal },
    delivered_amount: order.deliveredAmount === null ? null : amount(order.deliveredAmount),
    transaction_hash: order.transactionHash,
    failure_reason: order.failureReason,
    paid_at: order.paidAt?.toISOString() ?? null,
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
  };
}
