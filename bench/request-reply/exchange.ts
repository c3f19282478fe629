/** Request and response of either transport: a payment's status, about 1 kB. */
export const REQUEST_TOPIC = 'bench.payment-status';
export const ASKED = { payment_id: '0199f2a4-7d1e-7cc3-98c4-dc0c0c07398f' };

export const ANSWER = {
  payment_id: ASKED.payment_id,
  status: 'PENDING',
  funded: true,
  steps: Array.from({ length: 8 }, (_, step) => ({
    type: 'ONCHAIN_STEP',
    account: 'SPW',
    asset: 'alphanet:0x5fbdb2315678afecb367f032d93f642f64180aa3',
    amount: String(250_000_000 + step),
  })),
};

/** `workMs` of waiting, as for a query. */
export async function answerAfter(workMs: number): Promise<typeof ANSWER> {
  if (workMs > 0) await new Promise((resolve) => setTimeout(resolve, workMs));
  return ANSWER;
}
