// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";

/// @notice Simulates two chains: contracts at the same address have their own storage, balance and (unless deployed on
/// both) code on each. Switching chains swaps them. Tokens are exempt: each is used on one chain only.
contract TwoChains {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 public constant HERE = 31_337;
    uint256 public constant THERE = 31_338;

    uint256 public current = HERE;
    address[] private _accounts;
    mapping(address account => bytes32[]) private _slots;
    mapping(address account => mapping(bytes32 slot => bool)) private _isKnown;
    mapping(address account => mapping(bytes32 slot => bytes32)) private _storageElsewhere;
    mapping(address account => uint256) private _balanceElsewhere;
    mapping(address account => bytes) private _codeElsewhere;

    /// @dev Accounts with the same code on both chains.
    function share(address account) external {
        _accounts.push(account);
        _codeElsewhere[account] = account.code;
    }

    /// @notice Native currency of all these accounts on the other chain.
    function nativeElsewhere() external view returns (uint256 sum) {
        for (uint256 i = 0; i < _accounts.length; i++) {
            sum += _balanceElsewhere[_accounts[i]];
        }
    }

    /// @dev Storage written since `vm.record` becomes the current chain's.
    function remember() external {
        for (uint256 i = 0; i < _accounts.length; i++) {
            address account = _accounts[i];
            (, bytes32[] memory writes) = vm.accesses(account);
            for (uint256 j = 0; j < writes.length; j++) {
                if (_isKnown[account][writes[j]]) continue;
                _isKnown[account][writes[j]] = true;
                _slots[account].push(writes[j]);
            }
        }
    }

    function switchTo(uint256 chainId) external {
        vm.chainId(chainId);
        if (chainId == current) return;
        current = chainId;
        for (uint256 i = 0; i < _accounts.length; i++) {
            _swap(_accounts[i]);
        }
    }

    function _swap(address account) private {
        bytes32[] storage slots = _slots[account];
        for (uint256 j = 0; j < slots.length; j++) {
            bytes32 slot = slots[j];
            bytes32 value = vm.load(account, slot);
            vm.store(account, slot, _storageElsewhere[account][slot]);
            _storageElsewhere[account][slot] = value;
        }
        uint256 balance = account.balance;
        if (balance != _balanceElsewhere[account]) {
            vm.deal(account, _balanceElsewhere[account]);
            _balanceElsewhere[account] = balance;
        }
        bytes memory code = account.code;
        bytes memory other = _codeElsewhere[account];
        if (code.length == other.length) return;
        vm.etch(account, other);
        _codeElsewhere[account] = code;
        // So that it can be deployed on this chain too.
        if (other.length == 0) vm.resetNonce(account);
    }
}
