// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Forge's cheat code for EIP-7702, which forge-std's interface does not list yet.
interface DelegationVm {
    struct SignedDelegation {
        uint8 v;
        bytes32 r;
        bytes32 s;
        uint64 nonce;
        address implementation;
    }

    function signAndAttachDelegation(address implementation, uint256 privateKey)
        external
        returns (SignedDelegation memory);
}
