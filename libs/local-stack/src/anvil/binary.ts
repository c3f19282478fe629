import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

export function anvilBinary(): string {
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const packageName = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  const program = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return require.resolve(`${packageName}/bin/${program}`);
  } catch {
    throw new Error(`no development chain for this platform: ${packageName} is not installed`);
  }
}
