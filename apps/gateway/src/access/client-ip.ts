const ADDRESS = /^[0-9a-fA-F.:]{2,45}$/;

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * The address of the client. Only as many entries of `x-forwarded-for` count as there are proxies of ours, from the
 * right: what stands left of them is what the client itself wrote.
 */
export function clientIpOf(
  remoteAddress: string,
  forwardedFor: string | string[] | undefined,
  trustedHops: number,
): string {
  if (trustedHops === 0) return plain(remoteAddress);
  const entries = [forwardedFor ?? []].flat().join(',').split(',');
  const entry = entries.at(-trustedHops)?.trim() ?? '';
  return plain(ADDRESS.test(entry) ? entry : remoteAddress);
}
