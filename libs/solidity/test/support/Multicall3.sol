// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";

interface IMulticall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    function aggregate3(Call3[] calldata calls) external payable;
}

/// @notice Real Multicall3, as deployed on every chain; its code is generated with the bindings.
library Multicall3 {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant MULTICALL3 = 0xcA11bde05977b3631167028862bE2a173976CA11;

    function deploy() internal returns (IMulticall3) {
        string memory file = vm.readFile("src/generated/deployments.ts");
        string[] memory parts = vm.split(file, "multicall3Code = '");
        vm.etch(MULTICALL3, vm.parseBytes(vm.split(parts[1], "'")[0]));
        return IMulticall3(MULTICALL3);
    }
}
