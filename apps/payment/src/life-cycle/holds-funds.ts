import { isAcross } from './open-transfers.js';
import type { PaymentRecord } from './payment-record.js';
import { holdings } from './wallet-ledger.js';

/** True while recorded facts have money of the owner: in the wallet, on its way there, or in a bridge. */
export const holdsFunds = (payment: PaymentRecord): boolean =>
  payment.deposits.some(({ confirmed }) => !confirmed) ||
  holdings(payment).length > 0 ||
  payment.legs.some((leg) => isAcross(payment, leg));
