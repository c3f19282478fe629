// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract TestToken is ERC20 {
    constructor() ERC20("Test", "TEST") {}

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }
}

/// @notice Keeps one percent of every transfer.
contract FeeOnTransferToken is TestToken {
    function _update(address from, address to, uint256 amount) internal override {
        if (from == address(0)) return super._update(from, to, amount);
        uint256 kept = amount / 100;
        super._update(from, to, amount - kept);
        super._update(from, address(0xdead), kept);
    }
}

/// @notice Delivers one unit more than sent.
contract GenerousToken is TestToken {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0)) super._update(address(0), to, 1);
    }
}

/// @notice Returns false instead of reverting, to all or some callers.
contract FalseToken is TestToken {
    mapping(address => bool) public refuses;
    bool public answersShort;

    function refuse(address to) external {
        refuses[to] = true;
    }

    function accept(address to) external {
        refuses[to] = false;
    }

    function answerShort() external {
        answersShort = true;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (answersShort) {
            assembly {
                mstore(0, not(0))
                return(0, 16)
            }
        }
        if (refuses[to]) return false;
        return super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (refuses[to]) return false;
        return super.transferFrom(from, to, amount);
    }
}

/// @notice Returns nothing, and refuses to change a non-zero allowance (Tether).
contract SilentToken is TestToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        _transfer(msg.sender, to, amount);
        answerNothing();
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _spendAllowance(from, msg.sender, amount);
        _transfer(from, to, amount);
        answerNothing();
    }

    function approve(address spender, uint256 amount) public override returns (bool) {
        require(amount == 0 || allowance(msg.sender, spender) == 0, "not used up");
        _approve(msg.sender, spender, amount);
        answerNothing();
    }

    function answerNothing() private pure {
        assembly {
            return(0, 0)
        }
    }
}

/// @notice Returns false from every call.
contract Denying {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(false);
    }
}

/// @notice Returns true followed by more words.
contract WordyToken is TestToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        _transfer(msg.sender, to, amount);
        assembly {
            mstore(0x00, 1)
            mstore(0x20, 2)
            return(0x00, 0x40)
        }
    }
}

/// @notice Takes the recipient's whole balance on every transfer.
contract DrainingToken is TestToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        _transfer(msg.sender, address(0xdead), amount);
        _transfer(to, address(0xdead), balanceOf(to));
        return true;
    }
}

/// @notice Takes the recipient's whole balance on every `transferFrom`.
contract DrainingSourceToken is TestToken {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _transfer(from, address(0xdead), amount);
        _transfer(to, address(0xdead), balanceOf(to));
        return true;
    }
}

/// @notice Reverts on a transfer of zero, as some tokens do.
contract NonZeroToken is TestToken {
    function transfer(address to, uint256 amount) public override returns (bool) {
        require(amount != 0, "nothing");
        return super.transfer(to, amount);
    }
}

/// @notice Has more decimals than ether's eighteen.
contract WideToken is TestToken {
    function decimals() public pure override returns (uint8) {
        return 36;
    }
}

/// @notice Token whose issuer blocks accounts from sending and receiving.
contract BlacklistToken is TestToken {
    mapping(address => bool) public isBlocked;

    function blockAccount(address account) external {
        isBlocked[account] = true;
    }

    function freeAccount(address account) external {
        isBlocked[account] = false;
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!isBlocked[from] && !isBlocked[to], "blocked");
        super._update(from, to, amount);
    }
}

/// @notice Rebases all balances; transfers are in rebased units.
contract RebasingToken is TestToken {
    uint256 private _numerator = 1;
    uint256 private _denominator = 1;

    function rebase(uint256 numerator, uint256 denominator) external {
        (_numerator, _denominator) = (numerator, denominator);
    }

    function balanceOf(address account) public view override returns (uint256) {
        return super.balanceOf(account) * _numerator / _denominator;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return super.transfer(to, amount * _denominator / _numerator);
    }
}

interface IHook {
    function onTransfer(address from, address to, uint256 amount) external;
}

/// @notice Calls the sender's hook before balances change and the recipient's hook after (ERC-777).
contract HookToken is TestToken {
    mapping(address => address) public senderHook;
    mapping(address => address) public recipientHook;

    function setSenderHook(address hook) external {
        senderHook[msg.sender] = hook;
    }

    function setRecipientHook(address hook) external {
        recipientHook[msg.sender] = hook;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (senderHook[from] != address(0)) IHook(senderHook[from]).onTransfer(from, to, amount);
        super._update(from, to, amount);
        if (recipientHook[to] != address(0)) IHook(recipientHook[to]).onTransfer(from, to, amount);
    }
}
