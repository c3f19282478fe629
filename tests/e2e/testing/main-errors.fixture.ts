interface ErrorRequest {
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  /** Sent without a key. */
  isKeyless?: true;
}

const UNKNOWN = '0199f0a2-0000-7000-8000-00000000ffff';
const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TOKEN = 'alphanet:0xb10e07fe3a962fd96c9f47fa7d456d4cbce4ff51';
const label = 'unknown';

/** A request of each operation that meets its most telling error. */
export const MAIN_ERRORS: Record<string, ErrorRequest> = {
  'GET /assets': { path: '/assets?assets[]=dollars' },
  'GET /chains': { path: '/chains?sandbox=perhaps' },
  'POST /prices': { path: '/prices', body: { fiat: 'xyz', tokens: ['nowhere:0x'] } },
  'GET /geolocation': { path: '/geolocation?customer_ip_address=here' },
  'GET /assets/available-outputs': { path: '/assets/available-outputs' },
  'GET /assets/available-inputs': { path: '/assets/available-inputs?outputs[]=nowhere:0x' },
  'GET /payments/methods': { path: `/payments/methods?input=usd&output=dollars` },
  'POST /payments/quotes': {
    path: '/payments/quotes',
    body: {
      request: {
        kind: 'FIXED_INPUT',
        fixed_input_amount: { asset: TOKEN, amount: '1.0000001' },
        output_asset: 'alphanet:0x1',
      },
    },
  },
  'POST /payments/confirm': {
    path: '/payments/confirm',
    body: { payment_id: UNKNOWN, state_token: 'x', owner_address: OWNER },
  },
  'GET /payments': { path: '/payments', query: { payment_id: UNKNOWN } },
  'GET /payments/history': { path: '/payments/history', query: { limit: '501' } },
  'GET /payments/timeline': { path: '/payments/timeline', query: { payment_id: UNKNOWN } },
  'POST /payments/issues': { path: '/payments/issues', body: { owner_address: 'me' } },
  'POST /payments/balances': { path: '/payments/balances', body: { payment_id: UNKNOWN } },
  'POST /payments/withdraw': {
    path: '/payments/withdraw',
    body: {
      payment_id: UNKNOWN,
      token_amounts: [{ token: TOKEN, amount: '10' }],
      recipient_address: OWNER,
    },
  },
  'POST /payments/withdraw/confirm': {
    path: '/payments/withdraw/confirm',
    body: { state_token: 'x' },
  },
  'GET /payments/withdraw/status': {
    path: '/payments/withdraw/status',
    query: { withdraw_id: UNKNOWN },
  },
  'POST /orgs/webhooks': {
    path: '/orgs/webhooks',
    body: { url: 'http://10.0.0.1/hook', label: 'orders', event_types: ['WORKFLOW_COMPLETED'] },
  },
  'GET /orgs/webhooks': { path: '/orgs/webhooks', isKeyless: true },
  'PATCH /orgs/webhooks': { path: '/orgs/webhooks', body: { label, auth_header: null } },
  'DELETE /orgs/webhooks': { path: '/orgs/webhooks', query: { label } },
  'POST /orgs/webhooks/rotate-secret': { path: '/orgs/webhooks/rotate-secret', body: { label } },
  'POST /orgs/webhooks/test': { path: '/orgs/webhooks/test', body: { label } },
  'GET /orgs/webhooks/deliveries': { path: '/orgs/webhooks/deliveries', query: { label } },
  'POST /orgs/webhooks/deliveries/resend-failed': {
    path: '/orgs/webhooks/deliveries/resend-failed',
    body: { since: 'yesterday' },
  },
  'GET /orgs/webhooks/deliveries/{delivery_id}': { path: `/orgs/webhooks/deliveries/${UNKNOWN}` },
  'POST /orgs/webhooks/deliveries/{delivery_id}/resend': {
    path: `/orgs/webhooks/deliveries/${UNKNOWN}/resend`,
  },
  'GET /funding/{payment_id}': { path: `/funding/${UNKNOWN}?token=x`, isKeyless: true },
  'GET /funding/{payment_id}/return': {
    path: `/funding/${UNKNOWN}/return?token=x`,
    isKeyless: true,
  },
  'POST /providers/{name}/callbacks': {
    path: '/providers/swiftramp/callbacks',
    body: {},
    isKeyless: true,
  },
  'GET /orgs/keys/self': { path: '/orgs/keys/self', isKeyless: true },
};
