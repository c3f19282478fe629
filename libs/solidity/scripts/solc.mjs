#!/usr/bin/env node
// Compiler for forge: runs npm's solc, without a download.
import { readFileSync } from 'node:fs';
import solc from 'solc';

if (process.argv.includes('--version')) {
  process.stdout.write(
    `solc, the solidity compiler\nVersion: ${solc.version().replace('Emscripten.clang', 'Linux.g++')}\n`,
  );
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
}
