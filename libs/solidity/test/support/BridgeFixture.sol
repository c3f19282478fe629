// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AttesterOracle} from "../../contracts/AttesterOracle.sol";
import {EscrowedToken, IntentEscrow} from "../../contracts/IntentEscrow.sol";
import {Outcome} from "../../contracts/interfaces/IFillOracle.sol";
import {AttestationHash} from "../../contracts/libraries/AttestationHash.sol";
import {BridgeRequest} from "../../contracts/types/BridgeRequest.sol";
import {Declaration, Leg} from "../../contracts/types/Declaration.sol";
import {Order, RefundInstruction} from "../../contracts/types/Order.sol";
import {Vm} from "forge-std/Vm.sol";
import {Fixture} from "./Fixture.sol";
import {TestToken} from "./Tokens.sol";

/// @notice Escrow with a quorum of two of three attesters, and declarations that bridge.
abstract contract BridgeFixture is Fixture {
    uint256 internal constant HERE = 31_337;
    uint256 internal constant THERE = 31_338;
    uint256 internal constant FILL_WINDOW = 2 minutes;
    uint256 internal constant SETTLE_WINDOW = 30 minutes;
    uint256 internal constant ORDER_CAP = 1000e18;
    uint256 internal constant OUTSTANDING_CAP = 2500e18;

    AttesterOracle internal oracle;
    IntentEscrow internal escrow;
    TestToken internal remote;
    address internal solver = makeAddr("solver");
    uint256[] internal attesterKeys;

    function setUp() public virtual override {
        super.setUp();
        remote = new TestToken();
        remote.mint(solver, type(uint128).max);
        oracle = new AttesterOracle(attesters(3), 2);
        escrow = new IntentEscrow(FILL_WINDOW, SETTLE_WINDOW, oracle, escrowedTokens(address(output)));
        vm.prank(solver);
        remote.approve(address(escrow), type(uint256).max);
    }

    function escrowedTokens(address token) internal pure returns (EscrowedToken[] memory tokens) {
        tokens = new EscrowedToken[](2);
        tokens[0] = EscrowedToken(HERE, token, ORDER_CAP, OUTSTANDING_CAP);
        tokens[1] = EscrowedToken(THERE, address(0xbeef), ORDER_CAP, OUTSTANDING_CAP);
    }

    /// Sorted by address, as the oracle requires.
    function attesters(uint256 count) internal returns (address[] memory accounts) {
        accounts = new address[](count);
        attesterKeys = new uint256[](count);
        for (uint256 i = 0; i < count; i++) {
            (address account, uint256 key) = makeAddrAndKey(string.concat("attester", vm.toString(i)));
            uint256 j = i;
            for (; j > 0 && accounts[j - 1] > account; j--) {
                (accounts[j], attesterKeys[j]) = (accounts[j - 1], attesterKeys[j - 1]);
            }
            (accounts[j], attesterKeys[j]) = (account, key);
        }
    }

    /// Converts on this chain and pays out on the other.
    function bridgingOf(address from, uint256 maxInput, uint256 minOutput, uint256 minBridged)
        internal
        returns (Declaration memory declaration)
    {
        declaration = conversionOf(from, maxInput, address(output), minOutput);
        Leg memory leg = declaration.legs[0];
        declaration.legs = new Leg[](2);
        declaration.legs[0] = leg;
        declaration.legs[0].bridgeAdapter = address(escrow);
        declaration.legs[0].minBridged = minBridged;
        declaration.legs[1].chainId = THERE;
        declaration.legs[1].inputToken = address(remote);
        declaration.legs[1].maxInput = type(uint256).max;
        declaration.legs[1].outputToken = address(remote);
        declaration.legs[1].minOutput = minBridged;
    }

    function requesting(uint256 amount, uint256 minimum) internal view returns (BridgeRequest memory) {
        return BridgeRequest(address(output), amount, THERE, address(remote), minimum, owner);
    }

    /// Opens an order of its own depositor.
    function opened(address depositor, uint256 amount, uint256 minimum) internal returns (Order memory) {
        output.mint(depositor, amount);
        vm.startPrank(depositor);
        output.approve(address(escrow), amount);
        escrow.bridge(requesting(amount, minimum));
        vm.stopPrank();
        return orderOf(depositor, amount, minimum, escrow.orderCount());
    }

    function orderOf(address depositor, uint256 amount, uint256 minimum, uint256 nonce)
        internal
        view
        returns (Order memory)
    {
        return Order({
            wallet: depositor,
            owner: owner,
            originChainId: HERE,
            inputToken: address(output),
            inputAmount: amount,
            destinationChainId: THERE,
            outputToken: address(remote),
            recipient: depositor,
            minimum: minimum,
            nonce: nonce,
            fillDeadline: block.timestamp + FILL_WINDOW,
            expires: block.timestamp + FILL_WINDOW + SETTLE_WINDOW,
            oracle: address(oracle)
        });
    }

    function idOf(Order memory order) internal view returns (bytes32) {
        return keccak256(abi.encode(address(escrow), order));
    }

    function fill(Order memory order, uint256 amount) internal {
        vm.chainId(THERE);
        vm.prank(solver);
        escrow.fill(order, amount, solver);
        vm.chainId(HERE);
    }

    function attest(Order memory order, Outcome outcome, address filler) internal {
        oracle.attest(idOf(order), outcome, filler, signatures(idOf(order), outcome, filler, 2));
    }

    /// Signatures of the first `count` attesters.
    function signatures(bytes32 id, Outcome outcome, address filler, uint256 count)
        internal
        view
        returns (bytes[] memory list)
    {
        list = new bytes[](count);
        for (uint256 i = 0; i < count; i++) {
            list[i] = attestation(id, outcome, filler, attesterKeys[i]);
        }
    }

    function attestation(bytes32 id, Outcome outcome, address filler, uint256 key)
        internal
        view
        returns (bytes memory)
    {
        return personal(key, AttestationHash.digest(id, outcome, filler, address(oracle)));
    }

    function instructing(address recipient, uint256 fee_) internal view returns (RefundInstruction memory) {
        return RefundInstruction(recipient, relayer, fee_, block.timestamp + 30 minutes);
    }

    function refundSignature(Order memory order, RefundInstruction memory instruction, uint256 key)
        internal
        view
        returns (bytes memory)
    {
        string memory text = escrow.refundText(order, instruction);
        bytes memory message = abi.encodePacked("\x19Ethereum Signed Message:\n", vm.toString(bytes(text).length), text);
        return personal(key, keccak256(message));
    }

    function personal(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// Order of the latest `Open` event.
    function announced(Vm.Log[] memory logs) internal view returns (Order memory order) {
        for (uint256 i = 0; i < logs.length; i++) {
            if (logs[i].emitter == address(escrow)) return abi.decode(logs[i].data, (Order));
        }
        revert("no order");
    }
}
