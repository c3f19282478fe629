import { describe, expect, it } from '@jest/globals';
import { anOnrampPayment, aPayment, aPolicy, minutesAfter } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { nextInstruction, paymentState, paymentView } from './payment-view.js';
import { aMinedWithdrawal, withdrawingFrom } from '../testing/a-withdrawal.fixture.js';

const now = minutesAfter(2);
const options = { policyOn: () => aPolicy, now, enableWithdrawPending: false };

describe('paymentView', () => {
  it('omits unset fields and shows null where the specification requires it', () => {
    const payment = aPayment().build();
    const bare = { ...payment, quoteRequest: { request: payment.quoteRequest.request } };
    const view = paymentView(bare, options);
    for (const field of ['completed_at', 'parent_payment_id', 'label', 'customer_id']) {
      expect(view).not.toHaveProperty(field);
    }
    expect(view).toMatchObject({ withdrawals: null, client_redirect_url: null, geolocation: null });
    expect(view.quoted).not.toHaveProperty('onramp');
    expect(view.quoted).not.toHaveProperty('payment_id');
  });

  it('shows the onramp', () => {
    const { quoted, fulfilled } = paymentView(anOnrampPayment().build(), options);
    const onramp = { onramp: 'swiftramp', onramp_method: 'CREDIT_CARD' };
    expect(quoted).toMatchObject(onramp);
    expect(fulfilled).toMatchObject(onramp);
  });

  it('names the parent of a retry', () => {
    const payment = aPayment().build();
    const quoteRequest = { ...payment.quoteRequest, parent_payment_id: 'parent' };
    expect(paymentView({ ...payment, quoteRequest }, options).parent_payment_id).toBe('parent');
  });

  it('shows a pending withdrawal as the status only on request', () => {
    const payment = aPayment().with(withdrawingFrom('FAILED')).build();
    expect(paymentView(payment, options).status).toBe('FAILED');
    const asked = { ...options, enableWithdrawPending: true };
    expect(paymentView(payment, asked).status).toBe('WITHDRAW_PENDING');
    expect(paymentState(payment, aPolicy, now).payment.status).toBe('FAILED');
  });

  it('shows the recipient of a withdrawal as a checksummed address', () => {
    const recipientAddress = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
    const withdrawals = [{ ...aMinedWithdrawal(5n), recipientAddress }];
    expect(paymentView(aPayment().with({ withdrawals }).build(), options).withdrawals).toEqual([
      expect.objectContaining({ recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
    ]);
  });

  it('shows the place of the customer and where to return', () => {
    const geolocation = { alpha3_country_code: 'GBR', state_code: 'ENG' };
    const clientRedirectUrl = 'https://shop.example/thanks';
    const payment = aPayment().with({ geolocation, clientRedirectUrl }).build();
    const view = paymentView(payment, options);
    expect(view).toMatchObject({ client_redirect_url: clientRedirectUrl });
    expect(view.geolocation).toEqual(geolocation);
  });

  it('is valid JSON', () => {
    for (const payment of [aPayment().complete().build(), anOnrampPayment().build()]) {
      const view = paymentView(payment, options);
      expect(JSON.parse(JSON.stringify(view))).toEqual(view);
    }
  });
});

describe('nextInstruction', () => {
  it('returns amount, asset and address to send, for tokens and fiat', () => {
    const payment = aPayment().build();
    expect(nextInstruction(payment, now)).toEqual({
      type: 'ONRAMP',
      payment_id: payment.id,
      deposit_info: [
        {
          deposit_token: USDC,
          deposit_amount: '100',
          deposit_address: payment.walletAddress,
          deposit_chain: 'alphanet',
        },
      ],
    });
    const [info] = nextInstruction(anOnrampPayment().build(), now)?.deposit_info ?? [];
    expect(info?.deposit_amount).toBe('99.5');
  });

  it('is null when no action is left', () => {
    expect(nextInstruction(aPayment().deposited().build(), now)).toBeUndefined();
    expect(nextInstruction(aPayment().build(), minutesAfter(11))).toBeUndefined();
    expect(nextInstruction(aPayment().with({ status: 'EXPIRED' }).build(), now)).toBeUndefined();
  });

  it('continues while the payment is underfunded', () => {
    const payment = aPayment().deposited({ amount: 1n }).build();
    expect(nextInstruction(payment, now)).toBeDefined();
  });
});
