export const fundingPageUrl = (base: string, paymentId: string, token: string): string =>
  `${base.replace(/\/+$/, '')}/funding/${paymentId}?token=${token}`;
