import { addDecimals, formatDecimal, roundDecimal, subDecimals, ZERO } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { Fees, PlannedFee } from '@bascule/contracts';
import { depositOrigins } from './bought-deposits.js';
import type { PaymentRecord } from './payment-record.js';
import { taken } from './wallet-ledger.js';
import { worth, worthOfFiat } from './worth.js';

/** Enough for the smallest unit of any currency; rounding goes into the conversion fees. */
const FEE_DECIMALS = 8;

function paidFees(payment: PaymentRecord, kind: PlannedFee['kind']): Decimal {
  return payment.legs.reduce((sum, leg) => {
    const planned = payment.plan.legs[leg.index];
    if (planned === undefined) return sum;
    const paid = planned.fees.reduce(
      (units, fee, index) =>
        fee.kind === kind ? units + (leg.settlement?.fees[index] ?? 0n) : units,
      0n,
    );
    return addDecimals(sum, worth(payment, planned.input_token, paid));
  }, ZERO);
}

/** Value of the fiat beyond that of the tokens that it bought; zero where nothing was bought. */
function rampFees(payment: PaymentRecord): Decimal {
  const { bought } = depositOrigins(payment);
  if (bought.length === 0) return ZERO;
  const units = bought.reduce((sum, { amount }) => sum + amount, 0n);
  return subDecimals(worthOfFiat(payment), worth(payment, payment.plan.deposit.token, units));
}

/**
 * Value of the input: the amount that the first leg took from the wallet, and the fees of the onramp. What stays in
 * the wallet belongs to the owner and is no input.
 */
function inputValue(payment: PaymentRecord): Decimal {
  const [planned, leg] = [payment.plan.legs[0], payment.legs[0]];
  if (planned === undefined || leg === undefined) return ZERO;
  return addDecimals(worth(payment, planned.input_token, taken(leg)), rampFees(payment));
}

/** Value delivered by bridges and taken by no leg: it belongs to the owner and is no fee. */
const leftOver = (payment: PaymentRecord): Decimal =>
  payment.legs.reduce((sum, { index, transfer }) => {
    const next = payment.legs[index + 1];
    if (transfer?.filled == null || next === undefined) return sum;
    const units = transfer.filled.amount - taken(next);
    return addDecimals(sum, worth(payment, transfer.transfer.outputToken, units));
  }, ZERO);

export function fulfilledOutput(payment: PaymentRecord): bigint {
  return payment.legs.at(-1)?.settlement?.output ?? 0n;
}

/** Paid fees, in the price currency at the quote's prices; zero until the payout. */
export function fulfilledFees(payment: PaymentRecord): Fees {
  const output = payment.plan.legs.at(-1);
  const isPaidOut = output !== undefined && payment.legs.at(-1)?.settlement != null;
  const lost = isPaidOut
    ? subDecimals(
        inputValue(payment),
        addDecimals(
          worth(payment, output.output_token, fulfilledOutput(payment)),
          leftOver(payment),
        ),
      )
    : ZERO;
  const total = rounded(lost);
  const network = rounded(isPaidOut ? paidFees(payment, 'network') : ZERO);
  const business = rounded(isPaidOut ? paidFees(payment, 'business') : ZERO);
  return {
    total_fees: formatDecimal(total),
    conversion_fees: formatDecimal(subDecimals(total, addDecimals(network, business))),
    network_fees: formatDecimal(network),
    business_fees: formatDecimal(business),
    currency_symbol: payment.priceCurrency,
  };
}

const rounded = (value: Decimal): Decimal => roundDecimal(value, FEE_DECIMALS, 'down');
