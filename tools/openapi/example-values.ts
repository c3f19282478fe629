/** Values in examples. The first are those of the local stack; a test replaces the ids and tokens by its own. */
export const EXAMPLE = {
  token: 'alphanet:0xb10e07fe3a962fd96c9f47fa7d456d4cbce4ff51',
  native: 'alphanet:0x',
  owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  destination: '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  paymentId: '0199f0a2-0000-7000-8000-000000000001',
  withdrawId: '0199f0a2-0000-7000-8000-000000000002',
  deliveryId: '0199f0a2-0000-7000-8000-000000000003',
  stateToken: 'eyJhbGciOiJkaXIi',
  withdrawalStateToken: 'eyJhbGciOiJkaXIiLCJ3',
  signature: '0x5369676e6564',
  webhookLabel: 'orders',
  webhookUrl: 'https://shop.example/hooks/payments',
} as const;
